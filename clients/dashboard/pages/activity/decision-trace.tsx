import type { TraceStepItem } from '@tollfree/contract/decision-fields';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { withCoinName } from '../../parts/text/chain-name.ts';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';

/** Labels of the rules in a trace. Other rules are shown by their id, in words. */
const ruleNames: Readonly<Record<string, string>> = {
  paymaster: 'Paymaster and key',
  'paymaster-state': 'Paymaster is active',
  'api-key': 'API key',
  'api-key-origins': 'Web pages of the API key',
  'api-key-networks': 'IP addresses of the API key',
  'api-key-methods': 'Methods of the API key',
  'api-key-rate': 'Request rate of the API key',
  operation: 'Operation is readable',
  policy: 'Chosen policy',
  mode: 'Who pays',
  decode: 'Calls are readable',
  account: 'Type of account',
  chain: 'Chain responds',
  signer: 'Signer responds',
  'contract-state': 'Paymaster contract',
  'chain-gas-price': 'Gas price matches the chain',
  'operator-gas-price': 'Operator’s gas price ceiling',
  'operator-cost': 'Operator’s cost cap',
  'operator-holds': 'Open operations',
  'operator-unpaid': 'Unpaid token payments',
  'policy-calls': 'Contracts and methods',
  'policy-tokens': 'Allowed tokens',
  ticket: 'The user’s ticket',
  'policy-ticket': 'Ticket required',
  'policy-sender': 'Allowed senders',
  'policy-period': 'Policy period',
  'policy-pause': 'Weekly pauses',
  'policy-gas-price': 'Policy’s gas price ceiling',
  'policy-accounts': 'Allowed accounts',
  'policy-gas': 'Policy’s gas cap',
  'policy-method-gas': 'Policy’s gas cap by method',
  'policy-cost': 'Policy’s cost cap',
  'policy-limits': 'Spending limits',
  webhook: 'Webhook',
  'gas-limits': 'Gas limits',
  'gas-guard': 'Gas guard',
  'operation-gas': 'Gas limits',
  lifetime: 'Signature lifetime',
  'coin-price': 'Price of the chain’s coin',
  'token-price': 'Price of the token',
  'fee-token': 'The token',
  quote: 'Earlier quote',
  'token-payment': 'Token payment',
  'funding-wallet': 'The funding wallet',
  'gas-tank': 'Gas tank balance',
  bundler: 'The operator’s bundler',
  upstream: 'Upstream paymaster',
};

/** `policy-share` is “Policy share”, and a limit is one of the spending limits whatever it counts. */
/** A rule's label. */
export function ruleName(rule: string): string {
  if (rule.startsWith('limit-')) return ruleNames[rule] ?? 'Spending limit';
  return ruleNames[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1).replaceAll('-', ' ')}`;
}

/** The deciding rules: refusals first, passed rules collapsed. */
export function DecisionTrace({ trace }: { readonly trace: readonly TraceStepItem[] }) {
  const passed = trace.filter(({ verdict }) => verdict === 'passed');
  const refused = trace.filter(({ verdict }) => verdict !== 'passed');
  return (
    <>
      {refused.length === 0 ? null : <Steps steps={refused} />}
      {passed.length === 0 ? null : (
        <details>
          <summary>
            {passed.length} {passed.length === 1 ? 'check' : 'checks'} passed
          </summary>
          <div className="details-body">
            <Steps steps={passed} />
          </div>
        </details>
      )}
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly TraceStepItem[] }) {
  const { chainId } = usePaymaster();
  return (
    <ol className="list trace">
      {steps.map(({ rule, verdict, checked, limit, used }) => (
        <li key={`${rule} ${checked}`}>
          <span>
            <Badge kind={verdict === 'passed' ? 'good' : 'bad'}>{verdict === 'passed' ? 'Passed' : 'Refused'}</Badge>
          </span>
          <div>
            <h3>{withCoinName(ruleName(rule), chainId)}</h3>
            <p>{readableAmounts(checked, rule, chainId)}</p>
            {limit === undefined ? null : (
              <p className="small muted">Allowed: {readableAmounts(limit, rule, chainId)}</p>
            )}
            {used === undefined ? null : (
              <p className="small muted">Used so far: {readableAmounts(used, rule, chainId)}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
