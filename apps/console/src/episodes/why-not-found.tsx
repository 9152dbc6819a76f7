import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { type Project } from '../projects/project.js';
import { buttonStyle } from '../ui/button.js';

interface WhyNotFoundProps {
  readonly project: Project;
  /** Of a message or a feature. */
  readonly id: string;
}

/** Leads to a search that says of a memory why it is not in the answer. */
export const WhyNotFound = ({ project, id }: WhyNotFoundProps) => (
  <Link to="/p/$org/$project/search" params={project} search={{ expected: id }} className={buttonStyle()}>
    <SearchX aria-hidden /> Why is it not found?
  </Link>
);
