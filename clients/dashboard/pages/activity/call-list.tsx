import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { decodeCall } from '../../abi/read-abi.ts';
import { useCallNames } from '../../abi/use-call-names.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Facts } from '../../parts/facts.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { Coin } from '../../parts/usd.tsx';

type RecordedCall = NonNullable<DecisionItem['facts']>['calls'][number];

/** The calls of an operation, with names of contract, method and arguments if the ABI is known. */
export function CallList({ calls }: { readonly calls: readonly RecordedCall[] }) {
  return (
    <ol className="list">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an operation can make one call twice, and their order never changes
        <li key={index} className="stack">
          <CallItem call={call} />
        </li>
      ))}
    </ol>
  );
}

function CallItem({ call }: { readonly call: RecordedCall }) {
  const { chainId } = usePaymaster();
  const { target, selector, value, data } = call;
  const { contract, method, abi } = useCallNames()(call);
  const args = abi === undefined || data === undefined ? undefined : decodeCall(abi, data);
  return (
    <>
      <div>
        <h3>
          {contract === undefined ? null : <>{contract} · </>}
          {method ?? selector}
        </h3>
        <p className="small">
          <OnExplorer kind="address" hex={target}>
            <code>{target}</code>
          </OnExplorer>{' '}
          {selector === undefined ? `transfer of ${coinName(chainId)}` : <code className="muted">{selector}</code>}
        </p>
      </div>
      {value === undefined || value === '0' ? null : <Facts facts={[['Sends', <Coin key="value" wei={value} />]]} />}
      {args === undefined || args.length === 0 ? null : (
        <Facts
          facts={args.map(({ name, type, value: argument }) => [
            `${name} (${type})`,
            <code key={name}>{argument}</code>,
          ])}
        />
      )}
      {args === undefined && data !== undefined && data !== '0x' ? (
        <details>
          <summary className="small">Call data</summary>
          <code className="small">{data}</code>
        </details>
      ) : null}
    </>
  );
}
