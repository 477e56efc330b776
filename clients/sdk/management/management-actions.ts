import type { Operation } from '@tollfree/contract/operation';
import { type ManagementOperations, managementOperations, operationList } from '@tollfree/contract/operations';
import type { SignUp } from '@tollfree/contract/sign-in/session';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import type { Abi } from 'viem';
import type { z } from 'zod';
import { callOperation, type ManagementConnection } from './call-operation.ts';

/** Operations by name. Their doc comments are on their descriptions. */
type Flat<Resources> = UnionToIntersection<
  {
    [Resource in keyof Resources]: {
      [Key in keyof Resources[Resource] as NameInClient<Resources[Resource][Key]>]: Resources[Resource][Key];
    };
  }[keyof Resources]
>;
type NameInClient<O> = O extends { readonly inBrowser: true }
  ? never
  : O extends { readonly name: infer Name extends string }
    ? Name
    : never;
type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type Operations = Flat<ManagementOperations>;

/** The type for parameters: lists and objects may be readonly. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** The paymaster a call acts on. */
export type ApiKeyParameter = {
  /** apiKey of the paymaster, instead of the client's own. */
  readonly apiKey?: string | undefined;
};

/** The version of the object that a change is for. */
export type VersionParameter = {
  /** `etag` of the object as it was read: the change is refused with status 412 if someone has changed it since. */
  readonly etag?: string | undefined;
};

type Part<O, Key extends 'pathParams' | 'body'> = O extends { readonly [Name in Key]: infer Schema extends z.ZodType }
  ? Given<z.input<Schema>>
  : unknown;
type QueryPart<O> = O extends { readonly query: infer Schema extends z.ZodType } ? Given<z.output<Schema>> : unknown;
type BodyPart<O> = O extends { readonly bodyAs: infer Name extends string }
  ? { readonly [Key in Name]: Part<O, 'body'> }
  : Part<O, 'body'>;
type KeyPart<O> = O extends { readonly credentials: 'paymaster' } ? ApiKeyParameter : unknown;
type VersionPart<O> = O extends { readonly versioned: true } ? VersionParameter : unknown;
type Merged<T> = { readonly [Name in keyof T]: T[Name] };

/** The parameters of an operation: its path parameters, query and body in one object. */
export type ManagementParameters<Name extends keyof Operations> = ParametersOf<Operations[Name]>;
type ParametersOf<O> = Merged<Part<O, 'pathParams'> & QueryPart<O> & BodyPart<O> & KeyPart<O> & VersionPart<O>>;

export type ManagementResult<Name extends keyof Operations> = ResultOf<Operations[Name]>;
type ResultOf<O> = O extends { readonly data: infer Schema extends z.ZodType }
  ? z.output<Schema> extends (infer Item)[]
    ? readonly Item[]
    : z.output<Schema>
  : // biome-ignore lint/suspicious/noConfusingVoidType: the result of a function that answers nothing
    void;

type ActionOf<O> = [keyof ParametersOf<O>] extends [never]
  ? () => Promise<ResultOf<O>>
  : object extends ParametersOf<O>
    ? (parameters?: ParametersOf<O>) => Promise<ResultOf<O>>
    : (parameters: ParametersOf<O>) => Promise<ResultOf<O>>;

/** How changing a contract affects the paymaster's policy. */
export type ContractChange = {
  /**
   * Policy rules on arguments that no longer match the contracts. Calls to their contracts are not sponsored until they are
   * fixed. Usually empty.
   */
  readonly brokenRules: readonly string[];
  /**
   * After a registration: whitelisted methods that call an address of the caller's choice, each with what it calls and how that is
   * known. Code there can use all gas of the operation: cap it with `methodGas` of the policy. Absent: none is known.
   */
  readonly callsBack?: readonly string[];
  /** After a registration: the chain has no code at the address. Absent: it has, or no node said so in time. */
  readonly hasNoCode?: true;
};

/** Operations whose parameters or result differ from their description. */
type Adapted = {
  /**
   * Registers a contract, so that the paymaster can sponsor calls to it (interface 4.3). Without `whitelistedMethods` no call
   * is sponsored yet.
   *
   * @example
   * await client.registerSmartContract({ name: 'token', address, abi: erc20Abi, whitelistedMethods: ['transfer'] });
   */
  registerSmartContract(
    parameters: Omit<ManagementParameters<'registerSmartContract'>, 'abi'> & {
      /** The ABI, or its JSON text. */
      readonly abi: Abi | string;
    },
  ): Promise<ContractChange>;
  /** Deletes a contract: its calls are no longer sponsored (interface 4.3). */
  deleteSmartContract(parameters: ManagementParameters<'deleteSmartContract'>): Promise<ContractChange>;
  /**
   * Registers a paymaster (interface 4.2). `version` names a paymaster contract that the operator configured for the chain.
   *
   * @example
   * const { apiKey, paymasterId } = await client.createPaymaster({ name: 'shop', chainId: 137, version: '1.0.0' });
   */
  createPaymaster(
    parameters: Omit<ManagementParameters<'createPaymaster'>, 'type'>,
  ): Promise<ManagementResult<'createPaymaster'>>;
  /** Sets the funding wallet (interface 4.4). `signature` is its signature of the newest funding message. */
  setFundingWallet(
    parameters: Omit<ManagementParameters<'setFundingWallet'>, 'type'>,
  ): Promise<ManagementResult<'setFundingWallet'>>;
  /** Who gets an account on first sign-in. Throws with status 404 if browsers cannot sign in to this service. */
  readSignUp(): Promise<SignUp['signUp']>;
  /**
   * How the service would answer a request now, and why, in the order of the rules. Nothing is held or signed. It is explained
   * for the paymaster's own apiKey, or for the one with an `apiKeyId`. `params` are those of the RPC method:
   * `pm_getFeeQuoteOrData` if `method` is absent.
   */
  explainSponsorship(
    parameters: ApiKeyParameter & ExplainSponsorshipRequest,
  ): Promise<ManagementResult<'explainSponsorship'>>;
  /** Which of the recent decisions of the default policy, or of the named one, a proposed policy would change. Sets nothing. */
  previewPolicy(
    parameters: ManagementParameters<'previewPolicy'> & { readonly policyId?: string | undefined },
  ): Promise<ManagementResult<'previewPolicy'>>;
};

/** Operations of the management client. */
export type ManagementActions = Adapted & {
  [Name in keyof Operations as Name extends keyof Adapted | 'previewNamedPolicy' ? never : Name]: ActionOf<
    Operations[Name]
  >;
};

type Fields = Readonly<Record<string, unknown>>;

/** The operations of the contract, bound to a connection. */
export function managementActions(connection: ManagementConnection): ManagementActions {
  const { funding, namedPolicy, paymaster, policy, session, smartContract } = managementOperations;
  const call = (operation: Operation) => (parameters?: Fields) => callOperation(connection, operation, parameters);
  const changing = (operation: Operation) => async (parameters: Fields) => ({
    brokenRules: [],
    ...((await call(operation)(parameters)) as object | undefined),
  });
  const actions = operationList
    .filter(({ inBrowser }) => inBrowser === undefined)
    .map((operation) => [operation.name, call(operation)]);
  const adapted: { readonly [Name in keyof Adapted]: (parameters: never) => Promise<unknown> } = {
    registerSmartContract: ({ abi, ...parameters }: Fields) => {
      const text = typeof abi === 'string' ? abi : JSON.stringify(abi);
      return changing(smartContract.register)({ ...parameters, abi: text });
    },
    deleteSmartContract: changing(smartContract.delete),
    createPaymaster: (parameters: Fields) => call(paymaster.create)({ ...parameters, type: 'HYBRID' }),
    setFundingWallet: (parameters: Fields) => call(funding.setWallet)({ ...parameters, type: 'paymasterFundingId' }),
    readSignUp: async () => ((await call(session.readSignUp)()) as SignUp).signUp,
    explainSponsorship: call(managementOperations.sponsorship.explain),
    previewPolicy: (parameters: Fields) =>
      call(parameters.policyId === undefined ? policy.preview : namedPolicy.preview)(parameters),
  };
  // The operations by name, from the data that determines the type.
  return { ...Object.fromEntries(actions), ...adapted } as unknown as ManagementActions;
}
