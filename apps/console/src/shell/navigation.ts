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
  Settings,
  SlidersHorizontal,
  Users,
  Webhook,
} from 'lucide-react';
import { type Rights } from '../session/session.js';

/** A view that the navigation and the palette lead to. */
export interface View {
  readonly to: string;
  /** Another address that belongs to it. */
  readonly also?: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Who sees it; absent = everybody. */
  readonly needs?: (rights: Rights) => boolean;
}

const reads = ({ read }: Rights): boolean => read;

/** About everything that the caller may see. */
export const GENERAL_VIEWS: readonly View[] = [
  { to: '/', name: 'Overview', icon: ChartNoAxesCombined },
  { to: '/start', name: 'Get started', icon: Rocket },
  { to: '/projects', name: 'Projects', icon: FolderKanban, needs: reads },
];

/** About one project: below `/p/$org/$project`. */
export const PROJECT_VIEWS: readonly View[] = [
  { to: '/episodes', name: 'Episodes', icon: MessagesSquare, needs: reads },
  { to: '/features', name: 'Features', icon: Brain, needs: reads },
  { to: '/conflicts', name: 'Conflicts', icon: GitCompareArrows, needs: reads },
  { to: '/users', also: '/sessions', name: 'Users', icon: Users, needs: reads },
  { to: '/search', name: 'Search', icon: Search, needs: reads },
  { to: '/recall', name: 'Recall', icon: Lightbulb, needs: reads },
  { to: '/ingestion', name: 'Ingestion', icon: Activity, needs: reads },
  { to: '/settings', name: 'Settings', icon: Settings, needs: reads },
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
