import { type Address, type Hex, numberToHex, pad, zeroAddress } from 'viem';
import { numberedAddress } from '../../support/core/ledger-lab.ts';
import { pickGasUsed, prefundOf } from '../chain/operation-gas.ts';
import type { SimulatedAction, SimulatedOperation, SimulatedTransaction } from '../chain/simulated-transaction.ts';
import { contractAt, contracts, type SimulatedContract, tankName, wallets } from '../world/world.ts';
import { amountOf, nextSerial, type SignedOperation, type Simulation } from './simulation-state.ts';

/** A contract that passes coins on, and an account that collects operations. */
const router = numberedAddress(0xf0);
const bundler = numberedAddress(0xf1);

/** Sends some transactions of any kind, which wait for a block. */
export function sendTransactions(simulation: Simulation): void {
  const { random, chain } = simulation;
  for (let left = random.below(4); left > 0; left -= 1) {
    const transaction = random.chance(55) ? bundle(simulation) : fundsTransaction(simulation);
    if (transaction !== undefined) chain.send(transaction);
  }
}

/** A deposit of an account, straight or through others, or of a customer, or a withdrawal. */
export function fundsTransaction(simulation: Simulation): SimulatedTransaction {
  const { random } = simulation;
  const contract = random.pick(contracts);
  const wallet = random.pick(wallets);
  const amount = amountOf(simulation, 5, simulation.maxDeposit);
  if (random.chance(15)) return withdrawal(simulation, contract, amountOf(simulation, 1, 60));
  if (contract.keepsBalances && random.chance(80)) return customerTransaction(simulation, contract, wallet, amount);
  const deposit: SimulatedAction = { do: 'deposit', contract: contract.address, amount };
  if (random.chance(70)) {
    // A contract that keeps balances would credit such a deposit to a customer.
    const to = random.chance(50) || contract.keepsBalances ? contract.entryPoint : contract.address;
    return transactionOf(simulation, contract, { from: wallet, to, value: amount, actions: [deposit], direct: true });
  }
  // Of several deposits in one transaction no one knows who paid which.
  const to = random.chance(50) || contract.keepsBalances ? router : contract.address;
  const second = { ...deposit, amount: amountOf(simulation, 1, 50) };
  const actions = to === router && random.chance(60) ? [deposit] : [deposit, second];
  return transactionOf(simulation, contract, { from: wallet, to, value: amount, actions });
}

function withdrawal(simulation: Simulation, contract: SimulatedContract, amount: bigint): SimulatedTransaction {
  const actions = [{ do: 'withdrawal', contract: contract.address, amount }] as const;
  return transactionOf(simulation, contract, { from: bundler, to: contract.address, value: 0n, actions });
}

/** The contract passes a customer's coins on to the EntryPoint, or takes them from there. */
function customerTransaction(
  simulation: Simulation,
  contract: SimulatedContract,
  wallet: Address,
  amount: bigint,
): SimulatedTransaction {
  const { address } = contract;
  if (simulation.random.chance(25)) {
    const taken = amountOf(simulation, 1, 80);
    const actions = [
      { do: 'customer-withdrawal', contract: address, wallet, amount: taken },
      { do: 'withdrawal', contract: address, amount: taken },
    ] as const;
    return transactionOf(simulation, contract, { from: wallet, to: address, value: 0n, actions });
  }
  const actions = [
    { do: 'deposit', contract: address, amount },
    { do: 'customer-deposit', contract: address, wallet, amount },
  ] as const;
  return transactionOf(simulation, contract, { from: wallet, to: address, value: amount, actions });
}

/** Some signed operations of one EntryPoint in a bundle; within one of them an account may pay into a contract. */
function bundle(simulation: Simulation): SimulatedTransaction | undefined {
  const { random, landable, chain } = simulation;
  for (const [hash, { request }] of landable) if (request.validUntil < chain.head().timestamp) landable.delete(hash);
  const waiting = [...landable.values()].filter(
    ({ request }) => !chain.isUsed({ ...request, contract: request.tank.contract }),
  );
  if (waiting.length === 0) return undefined;
  const first = random.pick(waiting);
  const contract = contractAt(first.request.tank.contract);
  const same = waiting.filter(({ request }) => contractAt(request.tank.contract).entryPoint === contract.entryPoint);
  const chosen = new Set([first, ...Array.from({ length: random.below(3) }, () => random.pick(same))]);
  const actions: SimulatedAction[] = [...chosen].map((signed) => operationOf(simulation, signed));
  if (random.chance(5)) actions.push(foreignOperation(simulation, contract));
  if (random.chance(8)) {
    const deposit = { do: 'deposit', contract: contract.address, amount: amountOf(simulation, 1, 90) } as const;
    actions.splice(random.below(actions.length), 0, deposit);
  }
  return bundleOf(simulation, contract, actions);
}

/** What a bundler sends to the EntryPoint of a contract. */
export function bundleOf(
  simulation: Simulation,
  contract: SimulatedContract,
  actions: readonly SimulatedAction[],
): SimulatedTransaction {
  return transactionOf(simulation, contract, { from: bundler, to: contract.entryPoint, value: 0n, actions });
}

/** An account's own deposit for a contract. */
export function depositOf(
  simulation: Simulation,
  contract: SimulatedContract,
  from: Address,
  amount: bigint,
): SimulatedTransaction {
  const actions = [{ do: 'deposit', contract: contract.address, amount }] as const;
  return transactionOf(simulation, contract, { from, to: contract.entryPoint, value: amount, actions, direct: true });
}

/** A signed operation on its way; what it costs is for the block that takes it. */
export function operationOf(simulation: Simulation, { request, hash, gas }: SignedOperation): SimulatedOperation {
  const { random, gasPrice } = simulation;
  const { tank, sender, nonce, validUntil, payment } = request;
  const { keepsBalances, takesTokens } = contractAt(tank.contract);
  const prefund = prefundOf(gas);
  const { maxFeePerGas, maxPriorityFeePerGas } = gas;
  const margin = gasPrice * BigInt(random.below(3));
  return {
    do: 'operation',
    contract: tank.contract,
    // A sender that authorizes another delegate than it has named lands with another hash than was signed for.
    hash: random.chance(10) ? freshHash(simulation) : hash,
    sender,
    nonce,
    prefund,
    cost: prefund,
    pricing: {
      gasUsed: pickGasUsed(random, gas),
      maxFeePerGas,
      maxPriorityFeePerGas,
      atLoss: random.chance(10),
      margin,
    },
    success: random.chance(80),
    validUntil,
    ...(keepsBalances ? { charge: { wallet: tank.wallet, amount: prefund } } : {}),
    ...(takesTokens === true ? { tokens: payment.userPercent === 0 ? noTokens : someTokens } : {}),
  };
}

const noTokens = { token: zeroAddress, amount: 0n };
/** How many is for the block that takes the operation. */
const someTokens = { token: numberedAddress(0x70), amount: 1n };

/** An operation that the contract pays for and that no one of ours has signed. */
function foreignOperation(simulation: Simulation, contract: SimulatedContract): SimulatedOperation {
  const { random } = simulation;
  const cost = amountOf(simulation, 1, 10);
  const charge = { wallet: random.pick(wallets), amount: cost };
  return {
    do: 'operation',
    contract: contract.address,
    hash: freshHash(simulation),
    sender: numberedAddress(0xb1),
    nonce: BigInt(nextSerial(simulation)),
    prefund: cost,
    cost,
    success: true,
    validUntil: Number.MAX_SAFE_INTEGER,
    ...(contract.keepsBalances ? { charge } : {}),
  };
}

function transactionOf(
  simulation: Simulation,
  { entryPoint }: SimulatedContract,
  parts: Omit<SimulatedTransaction, 'hash' | 'entryPoint' | 'direct'> & { readonly direct?: true },
): SimulatedTransaction {
  return { direct: false, ...parts, hash: freshHash(simulation), entryPoint };
}

/** A hash like none before. */
export function freshHash(simulation: Simulation): Hex {
  return pad(numberToHex(nextSerial(simulation) + 0xabc00000), { size: 32 });
}

/** What a contract with balances keeps for a wallet now, in wei. */
export function customerBalance({ chain }: Simulation, contract: Address, wallet: Address): bigint {
  return chain.head().state.balances.get(tankName(contract, wallet)) ?? 0n;
}
