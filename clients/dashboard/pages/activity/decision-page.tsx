import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { DecisionItem, SettlementItem } from '@tollfree/contract/decision-fields';
import { operationStatusTexts } from '@tollfree/contract/operation-status';
import { Fragment } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { live } from '../../api/live.ts';
import { decisionQuery, operationQuery } from '../../api/of-paymaster.ts';
import { senderDecisionsQuery } from '../../api/operations.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { ExplorerValue } from '../../parts/on-explorer.tsx';
import { Page } from '../../parts/page.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { aboutUnits, unitsText, usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin, usePrice } from '../../parts/usd.tsx';
import { useToken } from '../../parts/use-token.ts';
import { shortHex, Value } from '../../parts/value.tsx';
import { CallList } from './call-list.tsx';
import { DecisionTrace } from './decision-trace.tsx';
import { isRelayed, statusOf } from './fold-operations.ts';
import { StatusBadge, StatusText } from './operation-cells.tsx';
import { OperationLife } from './operation-life.tsx';
import { RawRequest } from './raw-request.tsx';
import { Refusal } from './refusal.tsx';

/** One request: its content, the deciding rules, the outcome, and what to do about a refusal. */
export function DecisionPage() {
  const { decisionId } = useParams({ from: '/paymasters/$paymasterId/activity/$decisionId' });
  const paymaster = usePaymaster();
  const pace = live();
  const query = useQuery({
    ...decisionQuery(paymaster, decisionId),
    // A landed or refused request no longer changes.
    refetchInterval: (each) => (each.state.data?.settlement?.state === 'live' ? pace(each) : false),
  });
  const { paymasterId } = paymaster;
  return (
    <Page
      title="Operation"
      lead={
        <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }}>
          Back to activity
        </Link>
      }
      actions={
        <Link
          to="/paymasters/$paymasterId/playground"
          params={{ paymasterId }}
          search={{ decision: decisionId }}
          className="button"
        >
          Ask again now
        </Link>
      }
    >
      <Loaded query={query}>
        {(decision) => (
          <>
            <Headline decision={decision} />
            {decision.userOperationHash === undefined ? null : (
              <OperationLife userOperationHash={decision.userOperationHash} />
            )}
            <div className="columns">
              <div className="stack">
                {decision.outcome === 'refused' ? (
                  <Card title="Refused because">
                    <Refusal decision={decision} />
                  </Card>
                ) : null}
                {decision.settlement === undefined ? null : (
                  <Card title="What it cost">
                    <SettlementFacts settlement={decision.settlement} decision={decision} />
                  </Card>
                )}
                {(decision.facts?.calls.length ?? 0) === 0 ? null : (
                  <Card title="Calls">
                    <CallList calls={decision.facts?.calls ?? []} />
                  </Card>
                )}
                <Card title="Decision trace" lead="The rules in the order they ran.">
                  <DecisionTrace trace={decision.trace} />
                </Card>
                {decision.request === undefined ? null : <RawRequest request={decision.request} />}
                <details className="fold">
                  <summary>
                    <h3>As JSON</h3>
                    <span className="muted">Everything that was recorded of the request</span>
                  </summary>
                  <div className="stack">
                    <CodeBlock code={JSON.stringify(decision, null, 2)} what="request as JSON" />
                  </div>
                </details>
              </div>
              <div className="stack">
                <Card title="Request">
                  <AskedFacts decision={decision} />
                </Card>
                <SiblingRequests decision={decision} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The story in a line: how far it came, what it cost, who paid, in which block, and what it called. */
function Headline({ decision }: { readonly decision: DecisionItem }) {
  const nameOf = useCallNames();
  const paymaster = usePaymaster();
  const usual = usePrice(paymaster);
  const { facts, settlement, sender, decidedAt, reason, userOperationHash = '' } = decision;
  // The timeline reads and refreshes it.
  const { data: operation } = useQuery({
    ...operationQuery(paymaster, userOperationHash),
    enabled: userOperationHash !== '',
  });
  const payment = settlement?.tokenPayment;
  const tokenOf = useToken();
  const token = payment && tokenOf(payment.token);
  const status = statusOf(decision);
  const price = facts?.usdMicrosPerCoin ?? usual;
  const wei = settlement?.charge ?? settlement?.held;
  const parts = [
    reason === undefined ? undefined : reasonText(reason),
    wei === undefined || price === undefined || settlement?.state === 'released'
      ? undefined
      : `${settlement?.charge === undefined ? 'at most ' : ''}${usdText(usdOfWei(wei, price))}`,
    payment === undefined
      ? undefined
      : `the user paid ${token === undefined ? 'in a token' : `${aboutUnits(payment.amount, token.decimals)} ${token.symbol}`}`,
    operation?.blockNumber === undefined ? undefined : `block ${operation.blockNumber}`,
  ].filter((part) => part !== undefined);
  const [first, ...others] = facts?.calls ?? [];
  const { contract, method } = first === undefined ? {} : nameOf(first);
  const called =
    first === undefined ? undefined : `${contract ?? shortHex(first.target)} · ${method ?? first.selector}`;
  return (
    <div className="headline">
      <p className="big">
        <StatusText status={status} />
        {parts.map((part) => (
          <span key={part}> · {part}</span>
        ))}
      </p>
      <p className="muted">
        {called}
        {others.length === 0 ? null : ` and ${others.length} more`}
        {called === undefined ? null : ' · '}
        {sender === undefined ? null : <>for {shortHex(sender)} · </>}
        <Moment at={decidedAt} hasSeconds />
      </p>
    </div>
  );
}

/** A name in code that breaks after its underscores. */
function CodeName({ name }: { readonly name: string }) {
  return (
    <code>
      {name.split(/(?<=_)/).map((part) => (
        <Fragment key={part}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function AskedFacts({ decision }: { readonly decision: DecisionItem }) {
  const { decidedAt, reason, method, sender, nonce, facts, mode, policyId } = decision;
  return (
    <Facts
      facts={[
        ['Status', <StatusBadge key="status" status={statusOf(decision)} />],
        ['When', <Moment key="when" at={decidedAt} />],
        reason === undefined ? undefined : ['Reason', <CodeName key="reason" name={reason} />],
        ['Method', <CodeName key="method" name={method} />],
        isRelayed(decision) ? ['Way', 'Relay, without a paymaster contract'] : undefined,
        mode === undefined ? undefined : ['Who pays', mode === 'SPONSORED' ? 'You' : 'The user, in a token'],
        policyId === undefined ? undefined : ['Policy', policyId],
        sender === undefined
          ? undefined
          : ['Sender', <ExplorerValue key="sender" kind="address" hex={sender} what="sender" />],
        nonce === undefined ? undefined : ['Nonce', <code key="nonce">{nonce}</code>],
        facts?.account === undefined ? undefined : ['Account', facts.account.text],
        facts?.attribution === undefined ? undefined : ['Attribution codes', facts.attribution.join(', ')],
        ['Decision id', <Value key="id" text={decision.decisionId} what="decision id" />],
      ]}
    />
  );
}

type SettlementFactsProps = { readonly settlement: SettlementItem; readonly decision: DecisionItem };

/** The outcome of a signature on chain. */
function SettlementFacts({ settlement, decision }: SettlementFactsProps) {
  const { held, charge, success, txHash, unpaid, tokenPayment } = settlement;
  const usual = usePrice(usePaymaster());
  const tokenOf = useToken();
  const token = tokenPayment && tokenOf(tokenPayment.token);
  const price = decision.facts?.usdMicrosPerCoin ?? usual;
  const amount = (wei: string) => (
    <>
      <Coin wei={wei} />
      {price === undefined ? null : <span className="muted"> · {usdText(usdOfWei(wei, price))}</span>}
    </>
  );
  return (
    <Facts
      facts={[
        decision.userOperationHash === undefined
          ? ['Status', operationStatusTexts[statusOf(decision)].meaning]
          : undefined,
        ['Maximum', amount(held)],
        charge === undefined ? undefined : ['Paid by the tank', amount(charge)],
        tokenPayment === undefined
          ? undefined
          : [
              'Received from the user',
              <span key="tokens">
                {token === undefined
                  ? `${BigInt(tokenPayment.amount).toLocaleString(locale)} base units of`
                  : `${unitsText(tokenPayment.amount, token.decimals)} ${token.symbol}`}{' '}
                <ExplorerValue kind="address" hex={tokenPayment.token} what="token address" />
              </span>,
            ],
        success === undefined
          ? undefined
          : ['Its own calls', success ? 'Succeeded' : 'Reverted. The gas was paid nevertheless.'],
        unpaid === undefined ? undefined : ['User', 'Should have paid in a token but did not'],
        txHash === undefined
          ? undefined
          : ['Transaction', <ExplorerValue key="tx" kind="tx" hex={txHash} what="transaction hash" />],
      ]}
    />
  );
}

/** All requests for the same operation: estimates, quotes, refusals and signatures. Hidden if there is only one. */
function SiblingRequests({ decision }: { readonly decision: DecisionItem }) {
  const { sender = '', nonce, decisionId } = decision;
  const paymaster = usePaymaster();
  const { data } = useQuery({ ...senderDecisionsQuery(paymaster, sender), enabled: sender !== '' });
  const requests = (data?.decisions ?? []).filter((each) => each.nonce === nonce);
  if (nonce === undefined || requests.length < 2) return null;
  const { paymasterId } = paymaster;
  return (
    <Card title="Requests for this operation">
      <ul className="list tight">
        {requests.map((each) => (
          <li key={each.decisionId} className="row">
            <span>
              <StatusBadge status={statusOf(each)} />{' '}
              {each.decisionId === decisionId ? (
                <span className="muted">This request</span>
              ) : (
                <Link
                  to="/paymasters/$paymasterId/activity/$decisionId"
                  params={{ paymasterId, decisionId: each.decisionId }}
                >
                  Show
                </Link>
              )}
            </span>
            <span className="muted">
              <Age at={each.decidedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
