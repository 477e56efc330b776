import type { MistakeId } from '../config-check/mistake.ts';

/** What `doctor` can find to fix or to look at, for programs: stable. Mistakes of the configuration come with their own id. */
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
  // What leaves this machine.
  'webhook-guard',
  'webhook-http',
  'dns',
  'dns-hosts-file',
  // The database.
  'database-unreadable',
  'database-foreign',
  'database-newer',
  'database-moved',
  'database-damaged',
  'database-master-key',
  // The service where it runs.
  'port-taken',
  'service-part',
  'public-url',
  'sign-up-nowhere',
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
  // The upstream paymaster.
  'upstream-silent',
  'upstream-other-paymaster',
  // The treasury.
  'treasury-key',
  'treasury-low',
  // Prices and tokens.
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

/** What a check has found. `failure` keeps the service from its work or costs money, `warning` may, `ok` does not. */
export type Finding = {
  /** What was looked at and how it was, for programs: stable. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'failure';
  /** What was looked at, like `chain 10, node 1`. A node is named by its place: its URL can hold a key. */
  readonly about: string;
  /** How it is, as a sentence without a secret. */
  readonly message: string;
  /** What fixes it, as a sentence. */
  readonly remedy?: string;
};

/** A look at one thing. */
export type Check = { readonly about: string; run(): Promise<readonly Finding[]> };

/** How findings about one thing are made. */
export function findingsAbout(about: string) {
  type Trouble = TroubleId | `config-${MistakeId}`;
  return {
    ok: (id: string, message: string): Finding => ({ id, level: 'ok', about, message }),
    warning: (id: Trouble, message: string, remedy: string): Finding => ({
      id,
      level: 'warning',
      about,
      message,
      remedy,
    }),
    failure: (id: Trouble, message: string, remedy: string): Finding => ({
      id,
      level: 'failure',
      about,
      message,
      remedy,
    }),
  };
}

export type FindingsAbout = ReturnType<typeof findingsAbout>;
