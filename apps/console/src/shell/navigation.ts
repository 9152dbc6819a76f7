import {
  Activity,
  BookKey,
  Boxes,
  Brain,
  ChartNoAxesCombined,
  FolderKanban,
  Gauge,
  GitCompareArrows,
  Lightbulb,
  type LucideIcon,
  MessagesSquare,
  Rocket,
  ScrollText,
  Search,
  SlidersHorizontal,
  Users,
  Webhook,
} from 'lucide-react';
import { type Rights } from '../session/session.js';

/** A view that the navigation and the palette lead to. */
export interface View {
  readonly to: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Who sees it; absent = everybody. */
  readonly needs?: (rights: Rights) => boolean;
}

/** About everything that the caller may see. */
export const GENERAL_VIEWS: readonly View[] = [
  { to: '/', name: 'Overview', icon: ChartNoAxesCombined },
  { to: '/start', name: 'Get started', icon: Rocket },
  { to: '/projects', name: 'Projects', icon: FolderKanban },
];

/** About one project: below `/p/$org/$project`. */
export const PROJECT_VIEWS: readonly View[] = [
  { to: '/episodes', name: 'Episodes', icon: MessagesSquare },
  { to: '/features', name: 'Features', icon: Brain },
  { to: '/conflicts', name: 'Conflicts', icon: GitCompareArrows },
  { to: '/users', name: 'Users', icon: Users },
  { to: '/search', name: 'Search', icon: Search },
  { to: '/recall', name: 'Recall', icon: Lightbulb },
  { to: '/ingestion', name: 'Ingestion', icon: Activity },
];

/** About the deployment. */
export const ADMIN_VIEWS: readonly View[] = [
  { to: '/models', name: 'Models', icon: Boxes, needs: ({ deployment }) => deployment },
  { to: '/memory', name: 'Memory', icon: SlidersHorizontal, needs: ({ deployment }) => deployment },
  { to: '/keys', name: 'Keys', icon: BookKey, needs: ({ admin }) => admin },
  { to: '/webhooks', name: 'Webhooks', icon: Webhook, needs: ({ admin }) => admin },
  { to: '/quotas', name: 'Quotas', icon: Gauge, needs: ({ organization, read }) => organization && read },
  { to: '/audit', name: 'Audit', icon: ScrollText, needs: ({ admin }) => admin },
];

export const visibleTo = (views: readonly View[], rights: Rights): View[] =>
  views.filter(({ needs }) => needs?.(rights) ?? true);
