import type { Owned } from '../access/owned.ts';
import type { Result } from '../result/result.ts';
import type { FetchedAbi, SmartContract, SmartContractPage } from '../smart-contract.ts';

/** Contracts that a paymaster sponsors, with their ABIs and whitelisted methods. */
export type ContractOperations = {
  registerSmartContract(
    input: Owned & { name: string; address: string; abi: string; whitelistedMethods?: readonly string[] },
  ): Promise<Result<SmartContract>>;
  /** From `cursor` on as many contracts as fit in a page, at least one: ABIs can be large. */
  listSmartContracts(input: Owned & { cursor?: string }): Promise<Result<SmartContractPage>>;
  updateSmartContract(
    input: Owned & { address: string; whitelistedMethods: readonly string[] },
  ): Promise<Result<SmartContract>>;
  deleteSmartContract(input: Owned & { address: string }): Promise<Result<SmartContract>>;
  /**
   * Asks the explorer of the paymaster's chain for a contract's ABI, and registers nothing. `EXPLORER_NOT_SET_UP`;
   * `ABI_NOT_VERIFIED` where the explorer has none, `EXPLORER_UNAVAILABLE` where it does not answer as it should.
   */
  fetchContractAbi(input: Owned & { address: string }): Promise<Result<FetchedAbi>>;
};
