import type { Owned } from '../access/owned.ts';
import type { Result } from '../result/result.ts';
import type { FetchedAbi, SmartContract } from '../smart-contract.ts';

/** Contracts that a paymaster sponsors, with their ABIs and whitelisted methods. */
export type ContractOperations = {
  registerContract(
    input: Owned & { name: string; address: string; abi: string; whitelistedMethods?: readonly string[] },
  ): Promise<Result<SmartContract>>;
  listContracts(input: Owned): Promise<Result<readonly SmartContract[]>>;
  updateContract(
    input: Owned & { address: string; whitelistedMethods: readonly string[] },
  ): Promise<Result<SmartContract>>;
  deleteContract(input: Owned & { address: string }): Promise<Result<SmartContract>>;
  /**
   * Asks the explorer of the paymaster's chain for a contract's ABI, and registers nothing. `EXPLORER_NOT_SET_UP`;
   * `ABI_NOT_VERIFIED` where the explorer has none, `EXPLORER_UNAVAILABLE` where it does not answer as it should.
   */
  fetchContractAbi(input: Owned & { address: string }): Promise<Result<FetchedAbi>>;
};
