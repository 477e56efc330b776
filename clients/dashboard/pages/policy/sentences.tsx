import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readAbi } from '../../abi/read-abi.ts';
import { isSame } from '../../api/merge-settings.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { InLineChoice, InLineText } from '../../parts/in-line.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { withUnit } from './amount-text.ts';
import { CoinAmount } from './coin-amount.tsx';
import { policySchema } from './field-schema.ts';
import type { PolicyDraft } from './policy-draft.ts';
import { SchemaField } from './schema-field.tsx';

export type SentencesProps = {
  readonly draft: PolicyDraft;
  /** The policy in force. */
  readonly saved: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
};

/** A group of rules, each a sentence with fields in it. */
function Rules({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card flush" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
      </div>
      <ul className="rules">{children}</ul>
    </section>
  );
}

type RuleProps = {
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly tools?: ReactNode;
  readonly state?: 'changed' | 'added' | undefined;
};

function Rule({ children, hint, tools, state }: RuleProps) {
  return (
    <li className={state}>
      <div className="sentence">
        {children}
        {hint === undefined ? null : <span className="hint">{hint}</span>}
      </div>
      <div className="rule-tools">{tools}</div>
    </li>
  );
}

/** Whether fields differ from the saved policy, and a button that takes them back. */
function useChange({ draft, saved, onChange }: SentencesProps, what: string, names: readonly string[]) {
  const isChanged = names.some((name) => !isSame(draft[name], saved[name]));
  const undo = () => onChange({ ...draft, ...Object.fromEntries(names.map((name) => [name, saved[name]])) });
  return isChanged
    ? {
        state: 'changed' as const,
        tools: (
          <Button kind="quiet" label={`Undo: ${what}`} onPress={undo}>
            Undo
          </Button>
        ),
      }
    : {};
}

const sponsored = [
  { value: 'no', text: 'not sponsored' },
  { value: 'yes', text: 'sponsored' },
];

type YesNoProps = SentencesProps & {
  readonly name: string;
  readonly label: string;
  readonly options: typeof sponsored;
};

function YesNo({ draft, saved, onChange, name, label, options }: YesNoProps) {
  return (
    <InLineChoice
      label={label}
      value={draft[name] === true ? 'yes' : 'no'}
      options={options}
      isChanged={!isSame(draft[name], saved[name])}
      onChange={(value) => onChange({ ...draft, [name]: value === 'yes' })}
    />
  );
}

/** Which calls are sponsored. */
export function WhatRules(props: SentencesProps) {
  const { draft, onChange } = props;
  const { paymasterId } = usePaymaster();
  return (
    <Rules title="What you sponsor">
      <Rule {...useChange(props, 'which calls', ['sponsorAllCalls'])}>
        Calls of{' '}
        <YesNo
          {...props}
          name="sponsorAllCalls"
          label="Calls that are sponsored"
          options={[
            { value: 'no', text: 'the methods you chose' },
            { value: 'yes', text: 'any contract' },
          ]}
        />{' '}
        are sponsored
        {draft.sponsorAllCalls === true ? (
          '.'
        ) : (
          <>
            : <ChosenMethods />.{' '}
            <Link to="/paymasters/$paymasterId/contracts" params={{ paymasterId }} className="small">
              Choose methods
            </Link>
          </>
        )}
      </Rule>
      <Rule
        hint="A failing call costs gas nevertheless."
        {...useChange(props, 'deployments and failing calls', ['allowAccountDeployment', 'allowRevertingOperations'])}
      >
        Deploying an account without a call is{' '}
        <YesNo {...props} name="allowAccountDeployment" label="Plain account deployments" options={sponsored} />. An
        operation whose own call fails is{' '}
        <YesNo {...props} name="allowRevertingOperations" label="Operations whose own call fails" options={sponsored} />
        .
      </Rule>
      <li className="plain">
        <Field {...props} name="callRules" onChange={onChange} />
      </li>
    </Rules>
  );
}

/** The methods that are sponsored by contract, as a text. */
function ChosenMethods() {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const chosen = data.filter(({ whitelistedMethods }) => whitelistedMethods.length > 0);
  if (chosen.length === 0) return <strong className="warn-text">none yet</strong>;
  return chosen
    .map(({ name, whitelistedMethods }) => `${whitelistedMethods.map(shortMethod).join(', ')} of ${name}`)
    .join('; ');
}

function shortMethod(method: string): string {
  return method.replace(/\(.*/, '');
}

/** A field that is too long for a sentence, rendered by its schema. */
export function Field({ name, draft, onChange }: SentencesProps & { readonly name: string }) {
  const schema = policySchema.properties?.[name];
  if (schema === undefined) return null;
  return (
    <SchemaField
      name={name}
      schema={schema}
      value={draft[name]}
      onChange={(value) => onChange({ ...draft, [name]: value })}
    />
  );
}

/** Who is sponsored. */
export function WhoRules(props: SentencesProps) {
  const { draft, saved, onChange } = props;
  const { paymasterId } = usePaymaster();
  return (
    <Rules title="Who you sponsor">
      <Rule
        hint="A ticket is signed by your server or your login, and names the user."
        {...useChange(props, 'tickets', ['requireTicket'])}
      >
        A ticket of your backend is{' '}
        <YesNo
          {...props}
          name="requireTicket"
          label="Require a ticket"
          options={[
            { value: 'no', text: 'not needed' },
            { value: 'yes', text: 'needed' },
          ]}
        />
        .{' '}
        <Link to="/paymasters/$paymasterId/tickets" params={{ paymasterId }} className="small">
          Keys of tickets
        </Link>
      </Rule>
      <Rule
        hint="The code of published accounts is known to run nothing but the calls you see. Other code could waste your gas."
        {...useChange(props, 'accounts', ['accounts'])}
      >
        The sender’s account may be{' '}
        <InLineChoice
          label="Accounts"
          value={String(draft.accounts ?? 'KNOWN')}
          options={[
            { value: 'KNOWN', text: 'of a known type' },
            { value: 'ANY', text: 'of any type' },
          ]}
          isChanged={!isSame(draft.accounts, saved.accounts)}
          onChange={(accounts) => onChange({ ...draft, accounts })}
        />
        .
      </Rule>
      <li className="plain">
        <details className="senders">
          <summary>
            {sendersText(draft.allowedSenders, 'Every sender', 'Only named senders')} may ask
            {sendersText(draft.blockedSenders, '', ', except blocked ones')}.
          </summary>
          <div className="form">
            <Field {...props} name="allowedSenders" />
            <Field {...props} name="blockedSenders" />
          </div>
        </details>
      </li>
    </Rules>
  );
}

function sendersText(senders: unknown, none: string, some: string): string {
  if (!Array.isArray(senders)) return none;
  return senders.length === 0 && some.startsWith(',') ? none : `${some} (${senders.length})`;
}

type Limit = Readonly<Record<string, unknown>>;

/** What operations may cost, and how many there may be. */
export function LimitRules(props: SentencesProps) {
  const { draft, saved, onChange } = props;
  const { chainId } = usePaymaster();
  const limits: readonly Limit[] = Array.isArray(draft.limits) ? draft.limits : [];
  const before: readonly unknown[] = Array.isArray(saved.limits) ? saved.limits : [];
  const cap = (draft.maxCostPerOperation ?? {}) as Readonly<Record<string, string | undefined>>;
  const setCap = (unit: 'usd' | 'wei', value: string | undefined) =>
    onChange({ ...draft, maxCostPerOperation: { ...cap, [unit]: value === '' ? undefined : value } });
  const add = (limit: Limit) => onChange({ ...draft, limits: [...limits, limit] });
  return (
    <Rules title="How much">
      <Rule
        hint="Counted at its worst case, which is held until it lands: two to four times what it usually costs."
        {...useChange(props, 'cost of one operation', ['maxCostPerOperation'])}
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
      {limits.map((limit, index) => (
        <LimitRule
          // biome-ignore lint/suspicious/noArrayIndexKey: a limit has no name, and every field takes its value from here
          key={index}
          limit={limit}
          isNew={!before.some((each) => isSame(each, limit))}
          onChange={(next) => onChange({ ...draft, limits: limits.with(index, next) })}
          tools={
            <Button
              kind="quiet"
              needs={['manage']}
              label={`Remove limit ${index + 1}`}
              onPress={() => onChange({ ...draft, limits: limits.filter((_, at) => at !== index) })}
            >
              Remove
            </Button>
          }
        />
      ))}
      <li className="plain actions">
        <Button
          kind="quiet"
          needs={['manage']}
          onPress={() => add({ per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '' })}
        >
          + Limit for each sender
        </Button>
        <Button
          kind="quiet"
          needs={['manage']}
          onPress={() => add({ per: 'TOTAL', window: 'DAY', unit: 'USD', max: '' })}
        >
          + Limit for all together
        </Button>
      </li>
    </Rules>
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
  readonly isNew: boolean;
  readonly onChange: (limit: Limit) => void;
  readonly tools: ReactNode;
};

/** The values that a choice offers, with the current one, which may be known to the service but not yet to this page. */
function withCurrent(options: typeof whom, value: unknown): typeof whom {
  const current = String(value);
  return options.some((each) => each.value === current) ? options : [...options, { value: current, text: current }];
}

function LimitRule({ limit, isNew, onChange, tools }: LimitRuleProps) {
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
    <Rule state={isNew ? 'added' : undefined} tools={tools}>
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
