/** A part of the product to mutate, and the test files that should detect it. */
export type MutatedArea = {
  readonly name: string;
  /** Globs of source files. */
  readonly mutate: readonly string[];
  /** Folders or files of tests. Tests without a chain run without starting one. */
  readonly tests: readonly string[];
  /** Excluded files: slow ones that detect nothing that the others miss. */
  readonly without?: readonly string[];
};

/**
 * Code that decides about money or grants access. The first areas need no chain and take minutes, the others much longer.
 */
export const mutatedAreas: readonly MutatedArea[] = [
  {
    name: 'signer',
    mutate: ['core/evm/signer/*.ts', 'core/node/signers/*.ts'],
    tests: ['test/signer'],
    // These land operations with the compiled program, which the other tests cover.
    without: ['test/signer/signers-land.test.ts'],
  },
  {
    name: 'gateway-auth',
    mutate: ['gateway/management/authenticate.ts', 'gateway/limits/*.ts', 'core/management/accounts/*.ts'],
    tests: [
      'test/gateway/management-auth.test.ts',
      'test/gateway/management-answers.test.ts',
      'test/gateway/limits.test.ts',
      'test/gateway/client-address.test.ts',
      'test/gateway/answer-headers.test.ts',
      'test/management/accounts.test.ts',
      'test/management/auth-token.test.ts',
      'test/management/master-key-rotation.test.ts',
      'test/management/sign-in.test.ts',
    ],
  },
  { name: 'decoders', mutate: ['core/evm/account-decoders/*.ts'], tests: ['test/account-decoders'] },
  { name: 'webhooks', mutate: ['core/webhooks/*.ts'], tests: ['test/webhooks'] },
  {
    name: 'policies',
    mutate: ['core/policies/**/*.ts'],
    tests: [
      'test/policies',
      'test/decisions/decision-record.test.ts',
      'test/decisions/fix-of.test.ts',
      'test/ledger/called-limits.test.ts',
      'test/ledger/key-limits.test.ts',
      'test/ledger/limits-by-policy.test.ts',
      'test/ledger/limits.test.ts',
    ],
    // These start a chain, and are about the service.
    without: [
      'test/policies/changed-all-the-time.test.ts',
      'test/policies/choose-policy.test.ts',
      'test/policies/policies-over-http.test.ts',
      'test/policies/policy-service.test.ts',
      'test/policies/preview-agrees.test.ts',
    ],
  },
  {
    name: 'chain',
    mutate: ['core/node/*.ts', 'core/node/account-codes/*.ts', 'core/node/rpc/*.ts'],
    tests: [
      'test/node',
      'test/account-codes/account-reader.test.ts',
      'test/account-codes/created-sender.test.ts',
      'test/account-codes/read-implementation.test.ts',
      'test/gas/read-fees.test.ts',
      'test/ledger/chain-events.test.ts',
      'test/ledger/deposits-in-bundles.test.ts',
      'test/bundling/misbehaving-bundler.test.ts',
      'test/ledger/following.test.ts',
      'test/simulation/simulation.test.ts',
    ],
  },
  {
    name: 'bundling',
    mutate: ['core/bundling/*.ts'],
    tests: ['test/bundling'],
    // These land operations of clients, which the other tests cover.
    without: ['test/bundling/one-url.test.ts', 'test/bundling/one-url-attacks.test.ts'],
  },
  { name: 'relay', mutate: ['core/node/relay/*.ts'], tests: ['test/relay'] },
  { name: 'vendor', mutate: ['core/node/vendor/*.ts'], tests: ['test/vendor'] },
  {
    name: 'ledger',
    mutate: ['core/ledger/**/*.ts'],
    tests: [
      'test/ledger',
      'test/cores/shared-ledger.test.ts',
      'test/decisions/overview.test.ts',
      'test/decisions/read-decisions.test.ts',
      'test/decisions/usage.test.ts',
      'test/metrics/ledger-metrics.test.ts',
      'test/relay/relay-ledger.test.ts',
      'test/relay/relay-sending.test.ts',
      'test/simulation/simulation.test.ts',
      'test/store/losses.test.ts',
      'test/hot-wallet/refill-turns.test.ts',
    ],
    without: [
      'test/ledger/charges-on-chain.test.ts',
      'test/ledger/deposits-in-bundles.test.ts',
      'test/ledger/failing-node.test.ts',
      'test/ledger/ledger-faults.test.ts',
      'test/ledger/ledger-surface.test.ts',
      'test/ledger/lying-nodes.test.ts',
      'test/ledger/two-processes.test.ts',
      'test/ledger/watcher.test.ts',
    ],
  },
  {
    name: 'guard',
    mutate: ['core/gas/**/*.ts'],
    tests: ['test/gas', 'test/management/decode-error-arguments.test.ts'],
  },
  {
    name: 'sponsorship',
    mutate: ['core/sponsorship/**/*.ts'],
    tests: [
      'test/sponsorship',
      'test/account-codes/reads-same-calls.test.ts',
      'test/chain/after-landing.test.ts',
      'test/rpc-methods/abstractionkit.test.ts',
      'test/rpc-methods/paymaster-data.test.ts',
      'test/rpc-methods/refusals.test.ts',
      'test/rpc-methods/stub-data.test.ts',
      'test/rpc-methods/token-information.test.ts',
    ],
    // Its generated requests are slowest, and the other tests cover their kinds.
    without: ['test/sponsorship/explain.test.ts'],
  },
];
