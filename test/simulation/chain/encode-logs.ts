import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, parseAbi } from 'viem';
import { depositedEvent, userOperationEvent, withdrawnEvent } from '../../../core/node/chain-event.ts';
import { contractAt, entryPoints, tokenPaymentEvent } from '../world/world.ts';
import type { SimulatedEffect, SimulatedOperation } from './simulated-transaction.ts';

const customerAbi = parseAbi([
  'event GasDeposited(address indexed _paymasterId, uint256 indexed _value)',
  'event GasWithdrawn(address indexed _paymasterId, address indexed _to, uint256 indexed _value)',
  'event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge)',
]);
const uint256 = [{ type: 'uint256' }] as const;
const addressAndAmount = [{ type: 'address' }, { type: 'uint256' }] as const;
const operationData = [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }] as const;

/** A log without the block that it stands in. */
export type SimulatedLog = {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
};

/** The logs of what a transaction did, as the EntryPoint and the contracts write them. */
export function encodeLogs(effect: SimulatedEffect): readonly SimulatedLog[] {
  const { action, logIndex, transaction, totalDeposit } = effect;
  const log = (address: Address, topics: readonly unknown[], data: Hex, index = logIndex): SimulatedLog => ({
    address,
    // Every argument of the events above is given, so that no topic is a list or absent.
    topics: topics as readonly Hex[],
    data,
    logIndex: numberToHex(index),
    transactionHash: transaction.hash,
  });
  const { contract } = action;
  const { entryPoint } = contractAt(contract);
  switch (action.do) {
    case 'deposit': {
      const topics = encodeEventTopics({ abi: [depositedEvent], args: { account: contract } });
      return [log(entryPoint, topics, encodeAbiParameters(uint256, [totalDeposit]))];
    }
    case 'withdrawal': {
      const topics = encodeEventTopics({ abi: [withdrawnEvent], args: { account: contract } });
      return [log(entryPoint, topics, encodeAbiParameters(addressAndAmount, [entryPoints[0], action.amount]))];
    }
    case 'customer-deposit': {
      const args = { _paymasterId: action.wallet, _value: action.amount };
      return [log(contract, encodeEventTopics({ abi: customerAbi, eventName: 'GasDeposited', args }), '0x')];
    }
    case 'customer-withdrawal': {
      const args = { _paymasterId: action.wallet, _to: action.wallet, _value: action.amount };
      return [log(contract, encodeEventTopics({ abi: customerAbi, eventName: 'GasWithdrawn', args }), '0x')];
    }
    case 'operation': {
      const args = { userOpHash: action.hash, sender: action.sender, paymaster: contract };
      const topics = encodeEventTopics({ abi: [userOperationEvent], args });
      const data = encodeAbiParameters(operationData, [action.nonce, action.success, action.cost, 1n]);
      const landed = log(entryPoint, topics, data);
      return [
        ...tellOfOperation(action).map(({ topics: reported, data: more }) =>
          log(contract, reported, more, logIndex - 1),
        ),
        landed,
      ];
    }
  }
}

/** What the contract itself tells of an operation: what it took for it. */
function tellOfOperation({ charge, tokens, hash }: SimulatedOperation): readonly Reported[] {
  if (charge !== undefined) {
    const args = { _paymasterId: charge.wallet, _charge: charge.amount };
    return [{ topics: encodeEventTopics({ abi: customerAbi, eventName: 'GasBalanceDeducted', args }), data: '0x' }];
  }
  if (tokens === undefined) return [];
  const args = { userOperationHash: hash, token: tokens.token };
  const topics = encodeEventTopics({ abi: [tokenPaymentEvent], args });
  return [{ topics, data: encodeAbiParameters(uint256, [tokens.amount]) }];
}

type Reported = { readonly topics: readonly unknown[]; readonly data: Hex };
