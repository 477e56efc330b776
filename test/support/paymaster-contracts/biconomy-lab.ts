import { join } from 'node:path';
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { packUserOperation } from '../../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../../core/evm/entry-point/v0.6.ts';
import type { PaymasterContract } from '../../../core/evm/paymaster-contracts/family/family.ts';
import { type CompiledContract, compileSolidity } from '../../../tools/compile-solidity.ts';
import { type BiconomyRow, biconomyTable, familyOf } from './biconomy-table.ts';
import { type DeployedPaymaster, type PaymasterLab, startPaymasterLab } from './paymaster-lab.ts';
import { approveAll } from './send-sponsored.ts';

const folder = join(import.meta.dirname, 'contracts');
const imports = { SponsorshipPaymasters06: ['Paymaster06'], TokenPaymasters06: ['Paymaster06'], Paymasters07: [] };
const balanceKeepingAbi = parseAbi(['function depositFor(address paymasterId) payable']);

/** The most that the owner of a real 0.7 contract can set, and so the dearest. */
export const unaccountedGas = 100_000n;

/** A row of the table with its test contract on the chain. */
export type DeployedRow = DeployedPaymaster & { readonly abi: Abi };

/** A chain with the test contracts on it; the lab's signer is theirs. */
export async function startBiconomyLab() {
  const lab = await startPaymasterLab();
  const rows = await deployTable(lab);
  return {
    ...lab,
    row({ name }: BiconomyRow): DeployedRow {
      const row = rows.get(name);
      if (row === undefined) throw new Error(`${name} is not deployed`);
      return row;
    },
  };
}

/** Deploys the test contracts of all rows, by the names of their families. */
export async function deployTable(lab: PaymasterLab): Promise<ReadonlyMap<string, DeployedRow>> {
  const compiled = new Map<string, CompiledContract>();
  for (const [source, imported] of Object.entries(imports)) {
    const path = (name: string) => join(folder, `${name}.sol`);
    for (const [name, contract] of compileSolidity(path(source), ...imported.map(path))) compiled.set(name, contract);
  }
  const rows = new Map<string, DeployedRow>();
  for (const row of biconomyTable) {
    const contract = compiled.get(row.contractName);
    if (contract === undefined) throw new Error(`no contract ${row.contractName}`);
    rows.set(row.name, await deployRow(lab, row, contract));
  }
  return rows;
}

export type BiconomyLab = Awaited<ReturnType<typeof startBiconomyLab>>;

async function deployRow(lab: PaymasterLab, row: BiconomyRow, compiled: CompiledContract): Promise<DeployedRow> {
  const { chainId, entryPoints, client } = lab.devnet;
  const family = familyOf(row);
  const entryPoint = entryPoints[family.entryPointVersion];
  const own = row.source === 'Paymasters07' ? [unaccountedGas] : [];
  const args = [entryPoint, lab.signer.address, ...own];
  const data = encodeDeployData({ abi: compiled.abi, bytecode: compiled.creationBytecode, args });
  const hash = await client.sendTransaction({ account: customer(lab), chain: client.chain, data, gas: 5_000_000n });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  if (!address) throw new Error(`${row.contractName} was not deployed`);
  return { family, abi: compiled.abi, contract: { chainId, address, entryPoint } };
}

/** Whose funding wallet pays in these tests. */
export function customer(lab: PaymasterLab) {
  return privateKeyToAccount(lab.devnet.fundedKeys[2] ?? '0x');
}

/** The operation as its EntryPoint hands it to the contract. */
export function packed(operation: UserOperationWithGas, paymasterAndData: Hex) {
  return operation.entryPointVersion === '0.6'
    ? toUserOperation06(operation, paymasterAndData)
    : packUserOperation(operation, paymasterAndData);
}

/** What the contract keeps for the customer, in wei. */
export async function balanceOf(lab: PaymasterLab, { contract, family }: DeployedPaymaster): Promise<bigint> {
  const data = family.customerFunding?.balanceData(customer(lab).address);
  if (data === undefined) throw new Error(`${family.name} keeps no balances`);
  const answer = await lab.devnet.client.call({ to: contract.address, data });
  return BigInt(answer.data ?? '0x');
}

/** Fills the customer's balance. */
export async function depositFor(lab: PaymasterLab, contract: PaymasterContract, value: bigint) {
  const { client } = lab.devnet;
  const account = customer(lab);
  const data = encodeFunctionData({ abi: balanceKeepingAbi, args: [account.address] });
  const hash = await client.sendTransaction({ account, chain: client.chain, to: contract.address, data, value });
  return client.waitForTransactionReceipt({ hash });
}

/** The operation of an account that is deployed already and has given the spender all its tokens. */
export async function approvedAhead(
  lab: PaymasterLab,
  operation: UserOperationWithGas,
  token: Address,
  spender: Address,
): Promise<UserOperationWithGas> {
  await approveAhead(lab, operation, token, spender);
  return { ...operation, initCode: '0x' };
}

/** Deploys the account of an operation and lets the spender take all its tokens. */
export async function approveAhead(
  lab: PaymasterLab,
  { sender, initCode }: Pick<UserOperationWithGas, 'sender' | 'initCode'>,
  token: Address,
  spender: Address,
): Promise<void> {
  const { client } = lab.devnet;
  const creation = { to: slice(initCode, 0, 20), data: slice(initCode, 20), gas: 1_000_000n };
  const created = await client.sendTransaction({ account: customer(lab), chain: client.chain, ...creation });
  await client.waitForTransactionReceipt({ hash: created });
  await client.setBalance({ address: sender, value: 10n ** 18n });
  await client.impersonateAccount({ address: sender });
  const data = approveAll(spender);
  const hash = await client.sendTransaction({ account: sender, chain: client.chain, to: token, data, gas: 200_000n });
  await client.waitForTransactionReceipt({ hash });
  await client.stopImpersonatingAccount({ address: sender });
}
