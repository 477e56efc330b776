import type { MistakeId } from '../config-check/mistake.ts';

/** Stable ids of problems that `doctor` can find, for programs. Configuration mistakes have their own ids. */
export const troubleIds = [
  'check-timed-out',
  'check-failed',
  // This machine.
  'disk',
  'memory',
  'open-files',
  'data-folder',
  // Certificates of gRPC.
  'tls-key',
  'tls-expired',
  'tls-early',
  'tls-ends-soon',
  // Outgoing connections.
  'webhook-guard',
  'webhook-http',
  'dns',
  'dns-hosts-file',
  // The database.
  'database-unreadable',
  'database-foreign',
  'database-newer',
  'database-older',
  'database-moved',
  'database-damaged',
  'database-master-key',
  // The running service.
  'port-taken',
  'service-part',
  'public-url',
  'sign-up-nowhere',
  'paymaster-unbounded',
  'paymaster-uncapped',
  'paymaster-cap-refuses',
  'proxies-untold',
  // Nodes.
  'node-silent',
  'node-other-chain',
  'node-slow',
  'node-far',
  'node-no-head',
  'node-clock',
  'node-overrides',
  'node-gas',
  'node-state',
  'node-logs',
  // Contracts.
  'entry-point-missing',
  'contract-missing',
  'contract-entry-point',
  'signer-refused',
  'signer-unknown',
  'deposit-unknown',
  'deposit-empty',
  'stake-missing',
  'stake-low',
  // The bundler.
  'bundler-silent',
  'bundler-other-chain',
  'bundler-entry-point',
  // The relay.
  'executor-empty',
  'executor-contract',
  'executor-signer',
  'executor-other',
  // The vendor's paymaster.
  'vendor-silent',
  'vendor-other-paymaster',
  // The hot wallet.
  'hot-wallet-key',
  'hot-wallet-low',
  // Prices and tokens.
  'data-fee',
  'price-source',
  'price-none',
  'feed-unnamed',
  'feed-pair',
  'sequencer',
  'sequencer-unset',
  'token-missing',
  'token-none',
  'token-decimals',
  'token-symbol',
] as const;

type TroubleId = (typeof troubleIds)[number];

/**
 * The result of a check. `failure`: the service does not work or money is lost; `warning`: that may happen; `ok`: neither.
 */
export type Finding = {
  /** A stable id of the check and its result, for programs. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'failure';
  /** The checked object, like `chain 10, node 1`. A node is named by its position, since its URL may contain a key. */
  readonly about: string;
  /** The result, as a sentence without secrets. */
  readonly message: string;
  /** The fix, as a sentence. */
  readonly remedy?: string;
};

/** A check of one object. */
export type Check = { readonly about: string; run(): Promise<Findings> };

/** What a check finds: one thing, several, or nothing worth mentioning. */
export type Findings = Finding | readonly Finding[];

/** Creates findings about one object. */
export function findingsAbout(about: string) {
  type Trouble = TroubleId | `config-${MistakeId}`;
  const trouble =
    (level: 'warning' | 'failure') =>
    (id: Trouble, message: string, remedy: string): Finding => ({ id, level, about, message, remedy });
  return {
    ok: (id: string, message: string): Finding => ({ id, level: 'ok', about, message }),
    warning: trouble('warning'),
    failure: trouble('failure'),
  };
}

export type FindingsAbout = ReturnType<typeof findingsAbout>;
