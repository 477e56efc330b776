import type { OperatorChain, OperatorContract, OperatorSigner } from '@tollfree/contract/operator';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Age } from '../../parts/moment.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { daysLeftText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { NodeTable } from './node-table.tsx';

type Props = { readonly chain: OperatorChain };

/** A chain: its nodes and prices, and its contracts, keys and wallets. */
export function ChainCards({ chain }: Props) {
  const { chainId, name, headAt, coinUsd, prices = [], gasPrices = [], contracts, signers, tanks } = chain;
  const title = `${name} (${chainId})`;
  return (
    <>
      <Card title={title}>
        <Facts
          layout="short"
          facts={[
            [
              'Newest block',
              headAt === undefined ? (
                <Badge key="head" kind="bad">
                  Too old to sign by
                </Badge>
              ) : (
                <Age key="head" at={headAt} />
              ),
            ],
            [
              `Price of ${coinName(chainId)}`,
              coinUsd === undefined ? (
                <Badge key="coin" kind="bad">
                  No price
                </Badge>
              ) : (
                usdText(coinUsd.toFixed(6))
              ),
            ],
            ...vendorFacts(chain),
          ]}
        />
        <NodeTable chain={chain} />
        {prices.length === 0 ? null : (
          <DataTable
            caption={`Price sources of ${title}`}
            layout="numbers"
            rows={prices}
            keyOf={({ source }) => source}
            columns={[
              { title: 'Price source', cell: ({ source }) => <code>{source}</code> },
              { title: 'Answered', isNumber: true, cell: ({ answeredAt }) => <Age at={answeredAt} /> },
            ]}
          />
        )}
        {gasPrices.length === 0 ? null : (
          <details>
            <summary>Gas prices of steps</summary>
            <div className="details-body">
              <DataTable
                caption={`Gas prices of ${title}`}
                rows={gasPrices}
                keyOf={({ step }) => step}
                columns={[
                  { title: 'Step', cell: ({ step }) => step },
                  { title: 'Gas', isNumber: true, cell: ({ gas }) => gas.toLocaleString(locale) },
                ]}
              />
            </div>
          </details>
        )}
      </Card>
      <Card title={`Deposits on ${name}`}>
        <ContractTable chain={chain} contracts={contracts} />
        <Executors chain={chain} />
        <HotWallet chain={chain} />
        {tanks.length === 0 ? null : (
          <details>
            <summary>Gas tanks that run out first</summary>
            <div className="details-body">
              <DataTable
                caption={`Gas tanks of ${title}`}
                rows={tanks}
                keyOf={({ contract, wallet }) => `${contract} ${wallet}`}
                columns={[
                  { title: 'Funding wallet', cell: ({ wallet }) => <Short hex={wallet} /> },
                  { title: 'Contract', cell: ({ contract }) => <Short hex={contract} /> },
                  {
                    title: 'Available',
                    isNumber: true,
                    cell: ({ availableWei }) => <Coin wei={weiText(availableWei)} chainId={chainId} />,
                  },
                  {
                    title: 'Lasts',
                    isNumber: true,
                    cell: ({ daysLeft }) => (daysLeft === undefined ? '–' : daysLeftText(Math.floor(daysLeft))),
                  },
                ]}
              />
            </div>
          </details>
        )}
      </Card>
      <Card title={`Signing keys on ${name}`}>
        <SignerTable title={title} signers={signers} contracts={contracts} />
      </Card>
    </>
  );
}

function vendorFacts({ vendor }: OperatorChain) {
  if (vendor === undefined) return [];
  const text = ({ spentUsd, budgetUsd }: { readonly spentUsd: number; readonly budgetUsd: number }) =>
    `${usdText(spentUsd.toFixed(6))} of ${usdText(budgetUsd.toFixed(6))}`;
  return [
    ['Vendor budget today', text(vendor.day)] as const,
    ['Vendor budget this month', text(vendor.month)] as const,
  ];
}

function ContractTable({
  chain: { chainId, name },
  contracts,
}: Props & { readonly contracts: readonly OperatorContract[] }) {
  const amount = (wei: string | undefined) => (wei === undefined ? '–' : <Coin wei={wei} chainId={chainId} />);
  return (
    <DataTable
      caption={`Paymaster contracts of ${name} (${chainId})`}
      layout="numbers"
      rows={contracts}
      keyOf={({ version }) => version}
      columns={[
        {
          title: 'Contract',
          cell: ({ version, family, address }) => (
            <div>
              Version {version} <Short hex={address} />
              <span className="under">{family}</span>
            </div>
          ),
        },
        {
          title: 'Ledger',
          cell: ({ differenceWei, atBlock }) => (
            <div>
              <LedgerBadge differenceWei={differenceWei} />
              {atBlock === undefined ? null : <span className="under">Block {atBlock}</span>}
            </div>
          ),
        },
        { title: 'Deposit', isNumber: true, cell: ({ depositWei }) => amount(depositWei) },
        { title: 'Held', isNumber: true, cell: ({ heldWei }) => amount(heldWei) },
        {
          title: 'Stake',
          isNumber: true,
          cell: ({ stakeWei }) => amount(stakeWei === undefined ? undefined : weiText(stakeWei)),
        },
        {
          title: 'Tanks',
          isNumber: true,
          cell: ({ tanksInUse = 0, tanksLow = 0 }) => (tanksLow === 0 ? tanksInUse : `${tanksInUse}, ${tanksLow} low`),
        },
      ]}
    />
  );
}

function LedgerBadge({ differenceWei }: { readonly differenceWei: string | undefined }) {
  if (differenceWei === undefined) return <Badge>Not compared</Badge>;
  if (differenceWei === '0') return <Badge kind="good">Agrees</Badge>;
  return <Badge kind="bad">Differs by {differenceWei} wei</Badge>;
}

function Executors({ chain: { chainId, name, relay } }: Props) {
  if (relay === undefined) return null;
  return (
    <>
      <DataTable
        caption={`Wallets that relay on ${name} (${chainId})`}
        layout="numbers"
        rows={relay.executors}
        keyOf={({ executor }) => executor}
        columns={[
          {
            title: 'Wallet',
            cell: ({ executor }) => (
              <div>
                <Short hex={executor} />
                <span className="under">Relay executor</span>
              </div>
            ),
          },
          {
            title: 'Balance',
            isNumber: true,
            cell: ({ balanceWei }) => <Coin wei={weiText(balanceWei)} chainId={chainId} />,
          },
        ]}
      />
      <Facts
        layout="short"
        facts={[
          relay.heldWei === undefined
            ? undefined
            : ['Held for relayed operations', <Coin key="held" wei={relay.heldWei} chainId={chainId} />],
          ['Relay ledger', <LedgerBadge key="ledger" differenceWei={relay.differenceWei} />],
        ]}
      />
    </>
  );
}

function HotWallet({ chain: { chainId, hotWallet } }: Props) {
  if (hotWallet === undefined) return null;
  const { wallet, balanceWei, sentWei, maxPerDayWei, blocked } = hotWallet;
  const coin = (key: string, wei: number) => <Coin key={key} wei={weiText(wei)} chainId={chainId} />;
  return (
    <Facts
      layout="short"
      facts={[
        wallet === undefined ? undefined : ['Hot wallet', <Short key="wallet" hex={wallet} />],
        balanceWei === undefined ? undefined : ['Hot wallet balance', coin('balance', balanceWei)],
        ['Sent in 24 hours', coin('sent', sentWei)],
        ['Maximum in 24 hours', coin('most', maxPerDayWei)],
        [
          'Transfers',
          blocked === undefined ? (
            <Badge key="transfers" kind="good">
              Sent when due
            </Badge>
          ) : (
            <div key="transfers">
              <Badge kind="bad">Blocked</Badge>
              <span className="under">{blocked}</span>
            </div>
          ),
        ],
      ]}
    />
  );
}

const places: Readonly<Record<string, string>> = {
  keystore: 'Keystore of this service',
  raw: 'Plain key of this service',
  'eth-sign': 'eth_sign of another service',
  'aws-kms': 'AWS KMS',
  'google-kms': 'Google Cloud KMS',
};

const states: Readonly<Record<string, readonly [kind: 'good' | 'bad' | 'info', text: string]>> = {
  signs: ['good', 'Signs'],
  'not-trusted': ['bad', 'Not accepted'],
  'stands-by': ['info', 'Standby'],
  'not-asked': ['info', 'Not checked yet'],
  former: ['info', 'Former'],
};

type SignerTableProps = {
  readonly title: string;
  readonly signers: readonly OperatorSigner[];
  readonly contracts: readonly OperatorContract[];
};

function SignerTable({ title, signers, contracts }: SignerTableProps) {
  return (
    <DataTable
      caption={`Signing keys of ${title}`}
      layout="numbers"
      rows={groupSigners(signers)}
      keyOf={([{ contract, signer }]) => `${contract} ${signer}`}
      columns={[
        { title: 'Key', cell: ([{ signer }]) => <Short hex={signer} /> },
        {
          title: 'State',
          cell: ([{ state }]) => {
            const [kind, text] = states[state] ?? ['info', state];
            return <Badge kind={kind}>{text}</Badge>;
          },
        },
        { title: 'Signs for', cell: (group) => <SignsFor group={group} contracts={contracts} /> },
        {
          title: 'Where it is',
          cell: ([{ places: some }]) =>
            some.map(({ kind, awaySince }) => (
              <div key={kind}>
                {places[kind] ?? kind}
                {awaySince === undefined ? null : (
                  <span className="under">
                    Has not signed since <Age at={awaySince} />
                  </span>
                )}
              </div>
            )),
        },
      ]}
    />
  );
}

/** A key at several contracts that differ in nothing else. */
type SignerGroup = readonly [OperatorSigner, ...OperatorSigner[]];

/** The keys in their order, each once for all contracts at which it has one state. */
function groupSigners(signers: readonly OperatorSigner[]): readonly SignerGroup[] {
  const groups = new Map<string, SignerGroup>();
  for (const each of signers) {
    const key = JSON.stringify([each.signer, each.state, each.places]);
    const group = groups.get(key);
    groups.set(key, group === undefined ? [each] : [...group, each]);
  }
  return [...groups.values()];
}

type SignsForProps = { readonly group: SignerGroup; readonly contracts: readonly OperatorContract[] };

/** The versions of a key's contracts, whose addresses are in the table of deposits, or the address of another contract. */
function SignsFor({ group, contracts }: SignsForProps) {
  const versions = group.flatMap(({ contract }) =>
    contracts.filter(({ address }) => address === contract).map(({ version }) => version),
  );
  const others = group.filter(({ contract }) => contracts.every(({ address }) => address !== contract));
  return (
    <div>
      {versions.length === 0 ? null : `${versions.length === 1 ? 'Version' : 'Versions'} ${versions.join(', ')}`}
      {others.map(({ contract }) => (
        <div key={contract}>
          <Short hex={contract} />
        </div>
      ))}
    </div>
  );
}

/** A rounded amount in wei. */
function weiText(wei: number): string {
  return BigInt(Math.trunc(wei)).toString();
}
