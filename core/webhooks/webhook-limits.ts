import { maxUrlLength } from '@tollfree/contract/limits';

/** Bounds of webhook URLs and callbacks that no configuration raises. Sizes in bytes, times in milliseconds. */
export const webhookLimits = {
  urlLength: maxUrlLength,
  /** The caller's `webhookData` as JSON text. */
  dataBytes: 131_072,
  /** A GET callback's whole URL, data included; longer ones are cut or refused by common servers. */
  getUrlLength: 8_192,
  answerBytes: 16_384,
  answerHeaderBytes: 8_192,
  timeoutMs: 10_000,
  /** Callbacks to one webhook at the same time, and how many more may wait for their turn. */
  callsAtOnce: 8,
  callsWaiting: 32,
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
