import type { Scope } from './access/scope.ts';
import type { CoreTerms } from './operation.ts';
import { type ManagementOperations, operationList } from './operations.ts';

const reads: CoreTerms = { repeatable: true };

/**
 * Operations of the core without a route of their own: those of the RPC endpoint, of the operator's commands, and of the
 * gateway itself.
 */
const internalOperations = {
  createAccount: { repeatable: false, changes: 'new account', author: 'operator' },
  listAccounts: reads,
  inviteAccount: { repeatable: false, changes: 'new account', author: 'operator' },
  linkWallet: { repeatable: false, changes: 'access', author: 'operator' },
  suspendAccount: { repeatable: false, changes: 'account', author: 'operator' },

  authenticate: reads,
  authenticateSession: reads,
  signInWithWallet: { repeatable: false, changes: 'new session', author: 'anyone' },
  signInWithAuthToken: { repeatable: false, changes: 'new session', author: 'anyone' },

  // A signature belongs to the hold of its account's nonce, and repeated calls share that hold. A second call holds nothing
  // more and signs the same operation again. It only adds one decision record, and one webhook call.
  getFeeQuoteOrData: reads,
  sponsorUserOperation: reads,
  getPaymasterStubData: reads,
  getPaymasterData: reads,
  // The same operation gets the same hold, and a bundler that has it answers so.
  relayUserOperation: { repeatable: false },
  prepareRelay: reads,
  validatePolicies: reads,
  getAllowance: reads,
  quoteTokenRates: reads,
  listSupportedTokens: reads,
  listEntryPoints: reads,
  describePaymaster: reads,

  // A bundler identifies an accepted operation by its hash, and may refuse it the second time.
  sendUserOperation: { repeatable: false },
  estimateUserOperationGas: reads,
  lookUpUserOperation: reads,
  readUserOperationStatus: reads,
  quoteGasPrices: reads,
  listBundlerEntryPoints: reads,
  shareLimits: { repeatable: false },

  adjustTank: { repeatable: false, changes: 'tanks', author: 'operator' },
  // Reads every existing row once after each start, and with `allRows` every time: about a minute of one core per million operations.
  checkLedger: { repeatable: true, deadlineMs: 30 * 60_000 },
  revertLedger: { repeatable: false, changes: 'watches', author: 'operator' },
  // Only deletes rows that the caller has stored, and never twice.
  archiveLedger: { repeatable: true, changes: 'archive', author: 'operator', deadlineMs: 60_000 },
  listOpenHolds: reads,
  releaseHold: { repeatable: false, changes: 'hold', author: 'operator' },
  readLedgerStates: reads,
  readSigners: reads,
  readMetrics: reads,
} as const satisfies Readonly<Record<string, CoreTerms>>;

type Described<Resources> = {
  [Resource in keyof Resources]: Resources[Resource][keyof Resources[Resource]];
}[keyof Resources];
type Own<O> = O extends { readonly calls: string } ? never : O;
type WithRoute = Own<Described<ManagementOperations>>;

/** Names of the operations of the core, each described once. */
export type DescribedName = keyof typeof internalOperations | WithRoute['name'];

/** The name of an operation in the gRPC service and in the audit log, where older names are kept. */
export type RecordedName<Name extends DescribedName> = Name extends keyof Renamed ? Renamed[Name] : Name;
type Renamed = { [O in Extract<WithRoute, { readonly rpc: string }> as O['name']]: O['rpc'] };

type CoreOperation = CoreTerms & {
  /** {@link RecordedName}. */
  readonly recordedAs: string;
  /** Scopes that its author's authToken or session needs. */
  readonly scopes: readonly Scope[];
};

const described: Record<string, CoreOperation> = {};
for (const [name, terms] of Object.entries<CoreTerms>(internalOperations)) {
  described[name] = { ...terms, recordedAs: name, scopes: [] };
}
for (const operation of operationList) {
  if ('calls' in operation) continue;
  const { name, repeatable, changes, author, deadlineMs, rpc, scopes } = operation;
  described[name] = {
    repeatable,
    recordedAs: rpc ?? name,
    scopes,
    changes,
    author,
    deadlineMs,
  } as CoreOperation;
}

/** Descriptions of all core operations, with or without a route. */
export const coreOperations = described as { readonly [Name in DescribedName]: CoreOperation };
