import { maxUrlLength } from '@tollfree/contract/limits';
import type { Selectable } from 'kysely';
import type { FailureBudget } from '../domain/webhook.ts';
import type { Database } from '../store/database.ts';
import { fromWeiText } from '../store/wei/wei-text.ts';

/** Bounds of webhook URLs and callbacks that no configuration raises. Sizes in bytes, times in milliseconds. */
export const webhookLimits = {
  urlLength: maxUrlLength,
  /** The caller's `webhookData` as JSON text. */
  dataBytes: 131_072,
  /** A GET callback's whole URL, data included; longer ones are cut or refused by common servers. */
  getUrlLength: 8_192,
  /** A call that is longer may be cut off or fail for its length, which its caller chooses: the body of a POST, the URL of a GET. */
  surelyReadBytes: 65_536,
  surelyReadUrlLength: 4_096,
  answerBytes: 16_384,
  answerHeaderBytes: 8_192,
  timeoutMs: 10_000,
  /** Callbacks to one webhook at the same time, and how many more may wait for their turn. */
  callsAtOnce: 8,
  callsWaiting: 32,
  /** How late a time limit may be noticed, and the share of a call's time that this process may be busy, before that is why it failed. */
  lateMs: 100,
  busyShare: 0.9,
  /** Consecutive outages after which a webhook is left alone, and for how long. */
  outagesBeforePause: 5,
  pauseMs: 5_000,
  /** Webhooks whose connections and state are kept; the least recently called one makes room. */
  lanes: 4_096,
  idleConnectionMs: 4_000,
  idleConnectionMaxMs: 10_000,
  /** Addresses of one name that are tried. */
  addresses: 16,
} as const;

/** How the budget of a webhook stands in the store. */
export type BudgetColumns = Pick<Selectable<Database['webhooks']>, 'failure_window' | 'failure_max'>;

/** The budget of a stored webhook; undefined where its failure refuses. */
export function readFailureBudget({
  failure_window: window,
  failure_max: max,
}: BudgetColumns): FailureBudget | undefined {
  return window === null || max === null ? undefined : { window, max: fromWeiText(max) };
}
