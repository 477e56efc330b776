import { useQuery } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useMemo } from 'react';
import { contractsQuery } from '../api/of-paymaster.ts';
import { usePaymaster } from '../api/use-paymaster.ts';
import { readAbi } from './read-abi.ts';

/** A call as it is recorded. */
type Call = { readonly target: string; readonly selector?: string | undefined };

type CallName = {
  /** The name of a registered contract. */
  readonly contract: string | undefined;
  /** The method's name; `transfer` for a call that only sends coin. */
  readonly method: string | undefined;
  readonly abi: string | undefined;
};

/** Well-known methods of contracts that need not be registered. */
const known: Readonly<Record<string, string>> = {
  '0xa9059cbb': 'transfer',
  '0x095ea7b3': 'approve',
  '0x23b872dd': 'transferFrom',
  '0x42842e0e': 'safeTransferFrom',
  '0x40c10f19': 'mint',
  '0xa0712d68': 'mint',
  '0x1249c58b': 'mint',
  '0x42966c68': 'burn',
  '0xd0e30db0': 'deposit',
  '0x2e1a7d4d': 'withdraw',
  '0xac9650d8': 'multicall',
  '0x5ae401dc': 'multicall',
  '0x3593564c': 'execute',
  '0xd505accf': 'permit',
  '0xa22cb465': 'setApprovalForAll',
};

/** Names of calls, from the contracts of the page's paymaster and their ABIs. */
export function useCallNames(): (call: Call) => CallName {
  return useCallNamesOf(usePaymaster());
}

/** Names of calls, from a paymaster's contracts and their ABIs. */
export function useCallNamesOf(paymaster: PaymasterItem): (call: Call) => CallName {
  const { data } = useQuery(contractsQuery(paymaster));
  return useMemo(() => {
    const contracts = new Map(
      (data ?? []).map(({ address, name, abi }) => {
        const read = readAbi(abi);
        const methods = new Map((read.ok ? read.methods : []).map((method) => [method.selector, method.name]));
        return [address.toLowerCase(), { name, abi, methods }] as const;
      }),
    );
    return ({ target, selector }) => {
      const contract = contracts.get(target.toLowerCase());
      const method = selector === undefined ? 'transfer' : (contract?.methods.get(selector) ?? known[selector]);
      return { contract: contract?.name, method, abi: contract?.abi };
    };
  }, [data]);
}
