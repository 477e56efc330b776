import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readAbi } from '../../abi/read-abi.ts';
import { isSame } from '../../api/merge-settings.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { InLineChoice, InLineText } from '../../parts/in-line.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { withUnit } from './amount-text.ts';
import { type RulesProps, Undo } from './changed-rule.tsx';
import { CoinAmount } from './coin-amount.tsx';
import { describeFields } from './describe-policy.ts';
import { LimitUse, type LimitUses, UnknownUse } from './limit-use.tsx';
import { identityOf } from './merge-policies.ts';
import { Rule, Rules, useChangedRow } from './rule-row.tsx';
import { usePolicyNames } from './use-policy-names.ts';

type Limit = Readonly<Record<string, unknown>>;

function limitsIn({ limits }: RulesProps['draft']): readonly Limit[] {
  return Array.isArray(limits) ? limits : [];
}

/** What operations may cost, and how many there may be. */
export function LimitRules({ uses, ...props }: RulesProps & { readonly uses: LimitUses | undefined }) {
  const { draft, onChange } = props;
  const { chainId } = usePaymaster();
  const cap = (draft.maxCostPerOperation ?? {}) as Readonly<Record<string, string | undefined>>;
  const setCap = (unit: 'usd' | 'wei', value: string | undefined) =>
    onChange({ ...draft, maxCostPerOperation: { ...cap, [unit]: value === '' ? undefined : value } });
  return (
    <Rules title="How much">
      <Rule
        hint="Counted at its worst case, which is held until it lands: two to four times what it usually costs."
        {...useChangedRow(props, 'cost of one operation', ['maxCostPerOperation'])}
      >
        One operation may cost at most ${' '}
        <InLineText
          label="Most for one operation, in USD"
          placeholder="any"
          value={cap.usd ?? ''}
          onChange={(usd) => setCap('usd', usd)}
        />{' '}
        and at most{' '}
        <CoinAmount
          label={`Most for one operation, in ${coinName(chainId)}`}
          wei={cap.wei}
          onChange={(wei) => setCap('wei', wei)}
        />{' '}
        {coinName(chainId)}.
      </Rule>
      <Limits {...props} uses={uses} />
    </Rules>
  );
}

/** The limits of the draft, and those of the saved policy that it removes. */
function Limits({ draft, saved, onChange, uses }: RulesProps & { readonly uses: LimitUses | undefined }) {
  const names = usePolicyNames();
  const [limits, before] = [limitsIn(draft), limitsIn(saved)];
  const kept = new Set(limits.map(identityOf));
  const set = (next: readonly Limit[]) => onChange({ ...draft, limits: next });
  const describe = (limit: Limit) => describeFields({ limits: [limit] }, ['limits'], names).join(' ');
  return (
    <>
      {limits.map((limit, index) => {
        const was = before.find((each) => identityOf(each) === identityOf(limit));
        const use = was && uses?.get(identityOf(was));
        const undo = was === undefined || isSame(was, limit) ? undefined : () => set(limits.with(index, was));
        return (
          <LimitRule
            // biome-ignore lint/suspicious/noArrayIndexKey: a limit has no name, and every field takes its value from here
            key={index}
            limit={limit}
            state={was === undefined ? 'added' : undo && 'changed'}
            was={undo && was && describe(was)}
            use={was && (uses === undefined ? <UnknownUse limit={was} /> : use && <LimitUse limit={was} use={use} />)}
            onChange={(next) => set(limits.with(index, next))}
            tools={
              <>
                {was === undefined ? <span className="small good-text">New</span> : null}
                {undo === undefined ? null : <Undo what={`limit ${index + 1}`} onPress={undo} />}
                <Button
                  kind="quiet"
                  needs={['manage']}
                  label={`Remove limit ${index + 1}`}
                  onPress={() => set(limits.filter((_, at) => at !== index))}
                >
                  Remove
                </Button>
              </>
            }
          />
        );
      })}
      {before
        .filter((limit) => !kept.has(identityOf(limit)))
        .map((limit) => (
          <Rule
            key={identityOf(limit)}
            state="removed"
            tools={<Undo what={`removal of ${describe(limit)}`} onPress={() => set([...limits, limit])} />}
          >
            <del>{describe(limit)}</del>
          </Rule>
        ))}
      <li className="plain actions">
        <Button
          kind="quiet"
          needs={['manage']}
          onPress={() => set([...limits, { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '' }])}
        >
          + Limit for each sender
        </Button>
        <Button
          kind="quiet"
          needs={['manage']}
          onPress={() => set([...limits, { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '' }])}
        >
          + Limit for all together
        </Button>
      </li>
    </>
  );
}

const whom = [
  { value: 'SENDER', text: 'Each sender' },
  { value: 'SUBJECT', text: 'Each user of a ticket' },
  { value: 'TOTAL', text: 'All together' },
];
const windows = [
  { value: 'HOUR', text: 'an hour' },
  { value: 'DAY', text: 'a day' },
  { value: 'WEEK', text: 'a week' },
  { value: 'MONTH', text: 'a month' },
  { value: 'EVER', text: 'ever' },
];
const anyCall = '';

type LimitRuleProps = {
  readonly limit: Limit;
  readonly state: 'changed' | 'added' | undefined;
  readonly was: string | undefined;
  /** How full it is. */
  readonly use: ReactNode;
  readonly onChange: (limit: Limit) => void;
  readonly tools: ReactNode;
};

/** The values that a choice offers, with the current one, which may be known to the service but not yet to this page. */
function withCurrent(options: typeof whom, value: unknown): typeof whom {
  const current = String(value);
  return options.some((each) => each.value === current) ? options : [...options, { value: current, text: current }];
}

function LimitRule({ limit, state, was, use, onChange, tools }: LimitRuleProps) {
  const { chainId } = usePaymaster();
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const { per, window, unit, max, contract, method } = limit;
  const of = data.find(({ address }) => address.toLowerCase() === String(contract ?? '').toLowerCase());
  const read = readAbi(of?.abi ?? '');
  const methods = (read.ok ? read.methods : []).filter(({ whyNot }) => whyNot === undefined);
  const set = (change: Limit) => onChange({ ...limit, ...change });
  const units = [
    { value: 'OPERATIONS', text: contract === undefined ? 'operations' : 'calls' },
    { value: 'USD', text: 'USD' },
    { value: 'WEI', text: coinName(chainId) },
  ];
  const contracts = [
    { value: anyCall, text: 'any call' },
    ...data.map(({ address, name }) => ({ value: address, text: `calls of ${name}` })),
  ];
  const called = of?.address ?? String(contract ?? anyCall);
  return (
    <Rule state={state} was={was} hint={use} tools={tools}>
      <InLineChoice
        label="Per"
        value={String(per)}
        options={withCurrent(whom, per)}
        onChange={(next) => set({ per: next })}
      />{' '}
      may have at most{' '}
      {unit === 'WEI' ? (
        <CoinAmount key="coin" label="Maximum" wei={String(max ?? '')} onChange={(wei) => set({ max: wei })} />
      ) : (
        <InLineText label="Maximum" value={String(max ?? '')} onChange={(next) => set({ max: next })} />
      )}{' '}
      <InLineChoice
        label="Unit"
        value={String(unit)}
        options={withCurrent(units, unit)}
        onChange={(next) => onChange(withUnit(limit, next))}
      />{' '}
      <InLineChoice
        label="Period"
        value={String(window)}
        options={withCurrent(windows, window)}
        onChange={(next) => set({ window: next })}
      />{' '}
      for{' '}
      <InLineChoice
        label="Contract"
        value={called}
        options={withCurrent(contracts, called)}
        onChange={(next) => set({ contract: next === anyCall ? undefined : next, method: undefined })}
      />
      {contract === undefined ? null : (
        <>
          {', '}
          <InLineChoice
            label="Method"
            value={String(method ?? anyCall)}
            options={withCurrent(
              [
                { value: anyCall, text: 'any method' },
                ...methods.map(({ signature }) => ({ value: signature, text: signature })),
              ],
              method ?? anyCall,
            )}
            onChange={(next) => set({ method: next === anyCall ? undefined : next })}
          />
        </>
      )}
      .
    </Rule>
  );
}
