import { useMutation } from '@tanstack/react-query';
import { dataOf } from '../../api/data-of.ts';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Short } from '../../parts/short.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

export type FetchAbiButtonProps = { readonly address: string; readonly onFetched: (abi: string) => void };

/** Lets the service ask its explorer for the ABI of the contract at an address. */
export function FetchAbiButton({ address, onFetched }: FetchAbiButtonProps) {
  const paymaster = usePaymaster();
  const fetchAbi = useMutation({
    mutationFn: (asked: string) =>
      dataOf(routes.smartContract.fetchAbi({ headers: headersOf(paymaster), params: { address: asked } })),
    onSuccess: ({ abi }) => onFetched(abi),
  });
  const { data, error } = fetchAbi;
  const isStillAsked = fetchAbi.variables === address;
  return (
    <div className="stack">
      <div className="actions">
        <Button
          isDisabled={!/^0x[0-9a-fA-F]{40}$/.test(address)}
          isPending={fetchAbi.isPending}
          onPress={() => fetchAbi.mutate(address)}
        >
          Fetch the ABI from the explorer
        </Button>
      </div>
      <div role="status">
        {isStillAsked && data?.implementation !== undefined ? (
          <Notice kind="good">
            This contract is a proxy. The methods are those of <Short hex={data.implementation} />, until its owner
            changes it.
          </Notice>
        ) : null}
      </div>
      <Problem error={isStillAsked ? error : null} />
    </div>
  );
}
