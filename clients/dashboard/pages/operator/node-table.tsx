import type { OperatorChain } from '@tollfree/contract/operator';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { locale } from '../../parts/text/moment-text.ts';

type Asked = OperatorChain['nodes'][number];

/** A chain's nodes in the order of use, and its bundler. */
export function NodeTable({ chain: { chainId, name, nodes, bundler } }: { readonly chain: OperatorChain }) {
  const rows: readonly Asked[] = [...nodes, ...(bundler === undefined ? [] : [{ node: bundlerRow, ...bundler }])];
  return (
    <DataTable
      caption={`Nodes and bundler of ${name} (${chainId})`}
      layout="numbers"
      rows={rows}
      keyOf={({ node }) => node}
      columns={[
        {
          title: 'Node',
          cell: ({ node, host }) => (
            <div>
              {node === bundlerRow ? 'Bundler' : `Node ${node}`}
              {host === undefined ? null : <span className="under">{host}</span>}
            </div>
          ),
        },
        { title: 'State', cell: (row) => <State row={row} /> },
        {
          title: 'Block',
          isNumber: true,
          cell: ({ head, behind = 0 }) =>
            head === undefined ? (
              <span className="muted">–</span>
            ) : (
              <div>
                {head}
                {behind === 0 ? null : <span className="under">{behind} behind</span>}
              </div>
            ),
        },
        { title: 'Answered', isNumber: true, cell: ({ answered }) => answered.toLocaleString(locale) },
        { title: 'Failed', isNumber: true, cell: ({ failed }) => failed.toLocaleString(locale) },
        {
          title: 'Average',
          isNumber: true,
          cell: ({ averageMs }) => (averageMs === undefined ? '–' : `${averageMs} ms`),
        },
      ]}
    />
  );
}

const bundlerRow = 'bundler';

function State({ row: { isAsked, isResting, answered, failed } }: { readonly row: Asked }) {
  if (isResting === true) return <Badge kind="bad">Resting</Badge>;
  if (isAsked === true) return <Badge kind="good">Asked first</Badge>;
  if (isAsked === false) return <Badge>Standby</Badge>;
  return answered === 0 && failed > 0 ? <Badge kind="bad">Fails</Badge> : <Badge kind="good">Answers</Badge>;
}
