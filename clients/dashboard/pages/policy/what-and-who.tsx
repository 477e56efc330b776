import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isSame } from '../../api/merge-settings.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { InLineChoice } from '../../parts/in-line.tsx';
import type { RulesProps } from './changed-rule.tsx';
import { Rule, Rules, useChangedRow } from './rule-row.tsx';
import { WholeField } from './whole-field.tsx';

const sponsored = [
  { value: 'no', text: 'not sponsored' },
  { value: 'yes', text: 'sponsored' },
];

type YesNoProps = RulesProps & {
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
export function WhatRules(props: RulesProps) {
  const { draft } = props;
  const { paymasterId } = usePaymaster();
  return (
    <Rules title="What you sponsor">
      <Rule {...useChangedRow(props, 'which calls', ['sponsorAllCalls'])}>
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
        {...useChangedRow(props, 'deployments and failing calls', [
          'allowAccountDeployment',
          'allowRevertingOperations',
        ])}
      >
        Deploying an account without a call is{' '}
        <YesNo {...props} name="allowAccountDeployment" label="Plain account deployments" options={sponsored} />. An
        operation whose own call fails is{' '}
        <YesNo {...props} name="allowRevertingOperations" label="Operations whose own call fails" options={sponsored} />
        .
      </Rule>
      <li className="plain">
        <WholeField {...props} name="callRules" />
      </li>
    </Rules>
  );
}

/** The methods that are sponsored by contract, as a text. */
function ChosenMethods() {
  const { data, error } = useQuery(contractsQuery(usePaymaster()));
  if (data === undefined && error === null) {
    return (
      <span className="placeholder" aria-hidden="true">
        some methods of one of the contracts
      </span>
    );
  }
  const chosen = (data ?? []).filter(({ whitelistedMethods }) => whitelistedMethods.length > 0);
  if (chosen.length === 0) return <strong className="warn-text">none yet</strong>;
  return chosen
    .map(({ name, whitelistedMethods }) => `${whitelistedMethods.map(shortMethod).join(', ')} of ${name}`)
    .join('; ');
}

function shortMethod(method: string): string {
  return method.replace(/\(.*/, '');
}

/** Who is sponsored. */
export function WhoRules(props: RulesProps) {
  const { draft, saved, onChange } = props;
  const { paymasterId } = usePaymaster();
  return (
    <Rules title="Who you sponsor">
      <Rule
        hint="A ticket is signed by your server or your login, and names the user."
        {...useChangedRow(props, 'tickets', ['requireTicket'])}
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
        {...useChangedRow(props, 'accounts', ['accounts'])}
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
            <WholeField {...props} name="allowedSenders" />
            <WholeField {...props} name="blockedSenders" />
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
