import { type Exit } from './managed-process.js';

/** What happens to the processes of a supervisor, in the sequence in which it happens to each. */
export type ProcessEvent =
  /** Of its program no SHA-256 is known for this platform. */
  | { readonly kind: 'unchecked'; readonly name: string; readonly platform: string }
  | { readonly kind: 'started'; readonly name: string; readonly pid: number }
  | {
      readonly kind: 'waiting';
      readonly name: string;
      readonly forMs: number;
      readonly readyTimeoutMs: number;
    }
  | { readonly kind: 'ready'; readonly name: string; readonly pid: number; readonly tookMs: number }
  /** It lives on, and only a restart can make it work again: it is ended. */
  | { readonly kind: 'stuck'; readonly name: string }
  | {
      readonly kind: 'died';
      readonly name: string;
      readonly exit: Exit;
      readonly lastLines: string;
      readonly restartInMs: number;
    }
  | {
      readonly kind: 'start-failed' | 'restart-failed';
      readonly name: string;
      readonly reason: string;
      readonly restartInMs: number;
    }
  | { readonly kind: 'restarted'; readonly name: string; readonly pid: number; readonly restarts: number }
  | { readonly kind: 'stopped'; readonly name: string };

export type ProcessListener = (event: ProcessEvent) => void;
