/** A part of the product that is mutated, and the test files that are to notice it. */
export type MutatedArea = {
  readonly name: string;
  /** Globs of source files. */
  readonly mutate: readonly string[];
  /** Folders or files of tests. Those that need no chain run without one being started. */
  readonly tests: readonly string[];
};

/** What decides about money or lets somebody in. The first ones need no chain and take minutes, the others much longer. */
export const mutatedAreas: readonly MutatedArea[] = [
  { name: 'signer', mutate: ['core/evm/signer/*.ts'], tests: ['test/signer'] },
  {
    name: 'gateway-auth',
    mutate: ['gateway/management/authenticate.ts', 'gateway/limits/*.ts'],
    tests: [
      'test/gateway/management-auth.test.ts',
      'test/gateway/management-answers.test.ts',
      'test/gateway/limits.test.ts',
      'test/gateway/client-address.test.ts',
      'test/gateway/answer-headers.test.ts',
    ],
  },
  { name: 'decoders', mutate: ['core/evm/account-decoders/*.ts'], tests: ['test/account-decoders'] },
  { name: 'webhooks', mutate: ['core/webhooks/*.ts'], tests: ['test/webhooks'] },
  {
    name: 'policies',
    mutate: ['core/policies/**/*.ts'],
    tests: [
      'test/policies/rules.test.ts',
      'test/policies/schedule.test.ts',
      'test/policies/stored-policy.test.ts',
      'test/policies/manage-policies.test.ts',
      'test/policies/preview-policy.test.ts',
      'test/policies/read-past-decisions.test.ts',
      'test/policies/rule-ids.test.ts',
    ],
  },
  { name: 'chain', mutate: ['core/node/**/*.ts'], tests: ['test/ledger', 'test/account-codes'] },
  {
    name: 'ledger',
    mutate: ['core/ledger/**/*.ts'],
    tests: ['test/ledger', 'test/decisions', 'test/simulation/simulation.test.ts'],
  },
  {
    name: 'guard',
    mutate: ['core/gas/*.ts', 'core/gas/failures/*.ts', 'core/gas/fees/*.ts'],
    tests: ['test/gas', 'test/management/decode-error-arguments.test.ts'],
  },
  {
    name: 'sponsorship',
    mutate: ['core/sponsorship/**/*.ts'],
    tests: ['test/sponsorship', 'test/policies', 'test/quotes'],
  },
];
