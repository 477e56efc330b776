// What the tests use of packages that carry no types, or types that only a bundler's module resolution finds.

declare module '@biconomy/account' {
  import type { Address, Chain, Hex, WalletClient } from 'viem';

  export const PaymasterMode: { readonly ERC20: 'ERC20'; readonly SPONSORED: 'SPONSORED' };
  export type FeeQuote = { symbol: string; tokenAddress: Address; decimal: number; maxGasFee: number };
  export type PaymasterServiceData = {
    mode: 'ERC20' | 'SPONSORED';
    calculateGasLimits?: boolean;
    preferredToken?: Address;
    feeQuote?: FeeQuote;
    spender?: Address;
    maxApproval?: boolean;
    skipPatchCallData?: boolean;
  };
  export type BuildUserOpOptions = {
    paymasterServiceData: PaymasterServiceData;
    gasOffset?: Readonly<Record<string, number>>;
    nonceOptions?: { readonly nonceKey: number };
  };
  export type Transaction = { to: Address; data: Hex };
  export type BiconomySmartAccountV2 = {
    sendTransaction(
      transactions: Transaction | Transaction[],
      options: BuildUserOpOptions,
    ): Promise<{ userOpHash: Hex; waitForTxHash(): Promise<{ transactionHash: Hex }> }>;
    getTokenFees(
      transactions: Transaction | Transaction[],
      options: BuildUserOpOptions,
    ): Promise<{ feeQuotes?: FeeQuote[]; tokenPaymasterAddress?: Address }>;
    getSupportedTokens(): Promise<unknown[]>;
  };
  type EcdsaModule = { readonly moduleAddress: Address };
  export function createECDSAOwnershipValidationModule(config: {
    signer: WalletClient;
    moduleAddress: Address;
  }): Promise<EcdsaModule>;
  export function createSmartAccountClient(config: {
    signer: WalletClient;
    bundlerUrl: string;
    paymasterUrl: string;
    customChain: Chain;
    rpcUrl: string;
    accountAddress: Address;
    factoryAddress: Address;
    implementationAddress: Address;
    defaultFallbackHandler: Address;
    defaultValidationModule: EcdsaModule;
    activeValidationModule: EcdsaModule;
  }): Promise<BiconomySmartAccountV2>;
}

declare module '@biconomy/abstractjs' {
  import type { Address, Chain, Client, Hex, LocalAccount, Transport } from 'viem';
  import type { SmartAccount, UserOperation, UserOperationReceipt } from 'viem/account-abstraction';

  export type FeeQuote = { symbol: string; tokenAddress: Address; decimal: number; maxGasFee: number };
  export type BicoPaymasterClient = {
    getTokenPaymasterQuotes(parameters: { userOp: UserOperation; tokenList: Address[] }): Promise<{
      mode: 'ERC20';
      paymasterAddress: Address;
      feeQuotes: FeeQuote[];
      unsupportedTokens: Address[];
    }>;
    getSupportedTokens(client: BicoBundlerClient): Promise<unknown[]>;
  };
  export type BicoBundlerClient = {
    prepareUserOperation(parameters: { calls: { to: Address; data: Hex }[] }): Promise<UserOperation>;
    sendUserOperation(parameters: { calls: { to: Address; data: Hex }[] }): Promise<Hex>;
    waitForUserOperationReceipt(parameters: { hash: Hex }): Promise<UserOperationReceipt>;
  };
  type BiconomyPaymasterContext = { readonly mode: 'ERC20' | 'SPONSORED' };
  export function toBiconomyTokenPaymasterContext(parameters: { feeTokenAddress: Address }): BiconomyPaymasterContext;
  export const biconomySponsoredPaymasterContext: BiconomyPaymasterContext;
  export function createBicoPaymasterClient(parameters: { paymasterUrl: string }): BicoPaymasterClient;
  export function createBicoBundlerClient(parameters: {
    account: SmartAccount;
    chain: Chain;
    client: Client;
    bundlerUrl: string;
    paymaster: BicoPaymasterClient;
    paymasterContext?: BiconomyPaymasterContext;
    pollingInterval: number;
  }): BicoBundlerClient;

  export const MEEVersion: { readonly V1_0_0: '1.0.0'; readonly V2_0_0: '2.0.0' };
  export type MEEVersionConfig = {
    readonly version: string;
    readonly factoryAddress: Address;
    readonly bootStrapAddress: Address;
    readonly implementationAddress: Address;
    readonly validatorAddress: Address;
  };
  export function getMEEVersion(version: string): MEEVersionConfig;
  export function toNexusAccount(parameters: {
    signer: LocalAccount;
    chainConfiguration: { chain: Chain; transport: Transport; version: MEEVersionConfig; versionCheck?: boolean };
  }): Promise<SmartAccount>;
}
