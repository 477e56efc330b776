import { maxUrlLength } from '@tollfree/contract/limits';
import type { Selectable } from 'kysely';
import type { FailureBudget } from '../domain/webhook.ts';
import type { Database } from '../store/database.ts';
import { fromWeiText } from '../store/wei/wei-text.ts';

/** Fixed bounds of webhook URLs and callbacks, independent of the configuration. Sizes in bytes, times in milliseconds. */
export const webhookLimits = {
  urlLength: maxUrlLength,
  /** The caller's `webhookData` as JSON text. */
  dataBytes: 131_072,
  /** A GET callback's whole URL, data included; common servers cut or refuse longer ones. */
  getUrlLength: 8_192,
  /** A longer call may be cut off or fail for its length, which the caller chooses: the body of a POST, the URL of a GET. */
  surelyReadBytes: 65_536,
  surelyReadUrlLength: 4_096,
  answerBytes: 16_384,
  answerHeaderBytes: 8_192,
  timeoutMs: 10_000,
  /** Concurrent callbacks to one webhook, and how many more may wait in the queue. */
  callsAtOnce: 8,
  callsWaiting: 32,
  /**
   * From which lateness of a time limit, and from which share of busy time during a call, this process is to blame for its
   * failure.
   */
  lateMs: 100,
  busyShare: 0.9,
  /** Consecutive outages after which a webhook is paused, and for how long. */
  outagesBeforePause: 5,
  pauseMs: 5_000,
  /** Webhooks whose connections and state are kept; the least recently called one is evicted. */
  lanes: 4_096,
  idleConnectionMs: 4_000,
  idleConnectionMaxMs: 10_000,
  /** Most addresses of one name that are tried. */
  addresses: 16,
} as const;

export type BudgetColumns = Pick<Selectable<Database['webhooks']>, 'failure_window' | 'failure_max'>;

/** The budget of a stored webhook; undefined if its failure refuses. */
export function readFailureBudget({
  failure_window: window,
  failure_max: max,
}: BudgetColumns): FailureBudget | undefined {
  return window === null || max === null ? undefined : { window, max: fromWeiText(max) };
}
