/** Bytes that an attacker adds to a field. */
export type Padding = { readonly bytes: number; readonly fill: 'zeros' | 'ones' };

/** A limit as a part of what the service estimates, and gas on top. */
export type LimitChange = { readonly percent: number; readonly add: number };

/** A limit with that change, in gas; never below 0. */
export function changedLimit(limit: bigint, { percent, add }: LimitChange): bigint {
  const value = (limit * BigInt(percent)) / 100n + BigInt(add);
  return value > 0n ? value : 0n;
}

/** What a validator of the attacker's does: slots that it sets and clears, and thousands of gas that it burns. */
export type Work = { readonly slots: number; readonly kilogas: number };

export const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;
export type LimitName = (typeof limitNames)[number];
export type LimitChanges = Readonly<Record<LimitName, LimitChange>>;

/** Whether an EIP-7702 authorization goes along: only where the account has no code without it, or always, or never. */
export type Authorization = 'where needed' | 'always' | 'never';

/** Fields of a request that the service reads and that no signature binds. */
export type Asking = {
  readonly signature: 'placeholder' | 'zeros' | 'ones' | 'empty' | 'cut';
  readonly signaturePadding: Padding;
  /** Behind the paymaster's fields that the service is going to replace. */
  readonly paymasterPadding: Padding;
  readonly authorization: Authorization;
  /** Limits of the sender's own; estimated by the service when absent. */
  readonly given?: LimitChanges;
  readonly method: 'pm_sponsorUserOperation' | 'pm_getPaymasterData' | 'pm_getPaymasterStubData';
  /** What the service's bundler estimates, as a part of what it should; the truth when absent. */
  readonly bundler?: LimitChanges;
  /** Whose paymaster is asked: the one whose signature lands, or that of another tenant, whose signature does not. */
  readonly tenant: 'own' | 'other';
  /** Whether the request names the kind of the account. */
  readonly namesAccount: boolean;
  readonly work: Work;
};

/** Fields of the operation that are the same when asked about and when landed. */
export type OperationFields = {
  readonly calls: number;
  readonly method: 'increment' | 'pay';
  /** Slots that the contract sets and clears which the sponsored method calls, or does that many times other work. */
  readonly slots: number;
  /** Bytes that the sponsored method takes. */
  readonly noted: number;
  /** Wei that each call carries; the account has none. */
  readonly value: number;
  readonly callPadding: Padding;
  readonly outerPadding: Padding;
  readonly creationPadding: Padding;
  /**
   * Whose the operations are: of one account that is there, and of which each brings its creation `again`; of a new one `each`, which
   * each makes; or of one new account that the `first` of them makes.
   */
  readonly account: 'there' | 'again' | 'each' | 'first';
  readonly wideNonce: boolean;
  /** Of the tip that the chain suggests, and of the base fee. */
  readonly tipPercent: number;
  readonly feePercent: number;
};

/** Fields that an attacker may try to land with other values than were signed. */
export const landingChanges = [
  'none',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  'paymasterAndData',
  'initCode',
] as const;

export type Landing = {
  /** Who sends the bundle: a wallet, or a contract that makes the bundle's bytes in memory. */
  readonly bundler: 'wallet' | 'contract';
  readonly signaturePadding: Padding;
  readonly authorization: Authorization;
  readonly change: (typeof landingChanges)[number];
  /** Operations with nothing added that are asked honestly and land in the same bundle. */
  readonly company: number;
  /** Whether the account still has the tokens that it is to pay with. */
  readonly tokens: 'kept' | 'gone';
  /** Whether the sponsored contract is in the state in which the service was asked. */
  readonly state: 'same' | 'changed';
  readonly work: Work;
};

/** One way to take money: what is asked, in which order, and how it lands. */
export type Plan = {
  /** In one bundle. */
  readonly operations: number;
  readonly operation: OperationFields;
  /** Requests about the same sender and nonce before the one whose answer is used. */
  readonly before: readonly Asking[];
  readonly asking: Asking;
  readonly landing: Landing;
};

export const noPadding: Padding = { bytes: 0, fill: 'zeros' };
export const noWork: Work = { slots: 0, kilogas: 0 };
export const sameLimit: LimitChange = { percent: 100, add: 0 };

export const honestAsking: Asking = {
  signature: 'placeholder',
  signaturePadding: noPadding,
  paymasterPadding: noPadding,
  authorization: 'where needed',
  method: 'pm_sponsorUserOperation',
  tenant: 'own',
  namesAccount: true,
  work: noWork,
};

/** What an honest sender asks and an honest bundler lands. */
export const honestPlan: Plan = {
  operations: 1,
  operation: {
    calls: 1,
    method: 'increment',
    slots: 0,
    noted: 0,
    value: 0,
    callPadding: noPadding,
    outerPadding: noPadding,
    creationPadding: noPadding,
    account: 'there',
    wideNonce: false,
    tipPercent: 100,
    feePercent: 200,
  },
  before: [],
  asking: honestAsking,
  landing: {
    bundler: 'wallet',
    signaturePadding: noPadding,
    authorization: 'where needed',
    change: 'none',
    company: 0,
    tokens: 'kept',
    state: 'same',
    work: noWork,
  },
};

export const sameLimits: LimitChanges = {
  callGasLimit: sameLimit,
  verificationGasLimit: sameLimit,
  preVerificationGas: sameLimit,
  paymasterVerificationGasLimit: sameLimit,
  paymasterPostOpGasLimit: sameLimit,
};
