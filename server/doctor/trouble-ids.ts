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
  'database-moved',
  'database-damaged',
  'database-master-key',
  // The running service.
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

export type TroubleId = (typeof troubleIds)[number];
