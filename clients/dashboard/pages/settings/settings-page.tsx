import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maxNameLength } from '@tollfree/contract/limits';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { changedSettings } from '../../api/merge-settings.ts';
import { newestDecisionQuery } from '../../api/newest-decision.ts';
import { paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useSave } from '../../api/use-save.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import { ConfirmPause } from '../paymasters/pause-all.tsx';

/** Whether the paymaster is active, its name, and what cannot be undone. */
export function SettingsPage() {
  const { paymasterId, name, retiredAt } = usePaymaster();
  if (retiredAt !== undefined) {
    return (
      <Page title="Settings" lead="A retired paymaster is read-only.">
        <Card title="Retired">
          <Facts
            facts={[
              ['Name', name],
              ['Paymaster id', <Value key="id" text={paymasterId} what="paymaster id" />],
              ['Retired', <Moment key="retired" at={retiredAt} />],
            ]}
          />
        </Card>
      </Page>
    );
  }
  return (
    <Page title="Settings" lead="Pause, rename or retire this paymaster." doc="pause">
      <StateCard />
      <Card title="Name and id">
        <RenameForm key={name} />
        <p className="small">
          Paymaster id <Value text={paymasterId} what="paymaster id" />
        </p>
      </Card>
      <Card title="Retire" lead="For an application that no longer exists. It cannot be undone.">
        <details className="more">
          <summary>What happens, and how to retire it</summary>
          <RetireForm />
        </details>
      </Card>
    </Page>
  );
}

/** Renames the paymaster. */
function RenameForm() {
  const paymaster = usePaymaster();
  const [name, setName] = useState(paymaster.name);
  const rename = useChangePaymaster(paymaster);
  return (
    <FieldForm
      action={rename}
      submit="Rename"
      kind="plain"
      isDisabled={name.trim() === paymaster.name}
      onSubmit={() => rename.rename(name.trim(), () => toast('Paymaster renamed.'))}
    >
      <TextInput
        label="Name"
        name="name"
        hint="Such as the application’s name. Addresses and keys stay unchanged."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
    </FieldForm>
  );
}

/** Retires a paymaster permanently, after its name was typed. */
function RetireForm() {
  const { paymasterId, name } = usePaymaster();
  const [typed, setTyped] = useState('');
  const retire = useMutation({
    mutationFn: () => routes.paymaster.retire({ headers: {}, params: { paymasterId }, body: { name: typed } }),
  });
  return (
    <FieldForm
      action={retire}
      submit="Retire paymaster"
      kind="danger"
      isDisabled={typed !== name}
      onSubmit={() => retire.mutate()}
    >
      <ul className="sentences">
        <li>It never sponsors anything again and becomes read-only.</li>
        <li>Its other API keys end. Its own API key can only read the ledger.</li>
        <li>Operations that are already signed can still land and are paid.</li>
        <li>Gas tank, statements, usage and activity stay. The balance can be withdrawn as before.</li>
        <li>It stays in the list of your paymasters and keeps its name.</li>
      </ul>
      <TextInput label="Type its name to retire it" hint={name} value={typed} onChange={setTyped} />
    </FieldForm>
  );
}

/** Whether it answers, what it did last, and the button that pauses or resumes it. */
function StateCard() {
  const paymaster = usePaymaster();
  const change = useChangePaymaster(paymaster);
  const [isAsking, setAsking] = useState(false);
  const isPaused = paymaster.pausedAt !== undefined;
  return (
    <Card
      title={isPaused ? 'Paused: every request is refused' : 'Active: requests are answered'}
      lead={<LastRequest />}
      actions={<Badge kind={isPaused ? 'warn' : 'good'}>{isPaused ? 'Paused' : 'Active'}</Badge>}
    >
      <p>
        {isPaused
          ? 'Resume it once what was wrong is repaired. Keys, rules and the gas tank are as they were.'
          : 'If something is wrong, pause it: every request is refused at once, until you resume it.'}
      </p>
      <div className="actions">
        {isPaused ? (
          <Button kind="primary" needs={['manage']} isPending={change.isPending} onPress={() => change.pause(false)}>
            Resume
          </Button>
        ) : (
          <>
            <Button kind="danger" needs={['manage']} isPending={change.isPending} onPress={() => setAsking(true)}>
              Pause
            </Button>
            <ConfirmPause
              name={paymaster.name}
              isOpen={isAsking}
              onClose={() => setAsking(false)}
              onConfirm={() => change.pause(true)}
            />
          </>
        )}
      </div>
      <Problem error={change.error} />
    </Card>
  );
}

/** When the last request came, and how it was answered. */
function LastRequest() {
  const { paymasterId } = usePaymaster();
  const { data } = useQuery(newestDecisionQuery(usePaymaster()));
  if (data === undefined) return 'Last request: …';
  const [newest] = data.decisions;
  if (newest === undefined) return 'No request yet.';
  const { decisionId, decidedAt, outcome } = newest;
  return (
    <>
      Last request{' '}
      <Link to="/paymasters/$paymasterId/activity/$decisionId" params={{ paymasterId, decisionId }}>
        <Age at={decidedAt} />
      </Link>
      , {outcome === 'refused' ? 'refused' : 'answered'}.
    </>
  );
}

type PaymasterSettings = { readonly name: string; readonly paused: boolean };

function settingsOf({ name, pausedAt, etag }: PaymasterItem) {
  return { settings: { name, paused: pausedAt !== undefined } satisfies PaymasterSettings, etag };
}

/** Renames a paymaster, pauses it or resumes it. */
function useChangePaymaster(paymaster: PaymasterItem) {
  const { paymasterId } = paymaster;
  const params = { paymasterId };
  const client = useQueryClient();
  // As the form was opened.
  const [opened] = useState(() => settingsOf(paymaster));
  const save = useSave({
    readNow: async () => {
      const paymasters = await client.fetchQuery({ ...paymastersQuery, staleTime: 0 });
      return settingsOf(paymasters.find((each) => each.paymasterId === paymasterId) ?? paymaster);
    },
    write: (settings: PaymasterSettings, headers, before) =>
      routes.paymaster.update({ headers, params, body: changedSettings(settings, before) }),
  });
  const rename = (name: string, onSuccess: () => void) =>
    save.mutate({ seen: opened, mine: { ...opened.settings, name } }, { onSuccess });
  const pause = (paused: boolean) => {
    const seen = settingsOf(paymaster);
    save.mutate({ seen, mine: { ...seen.settings, paused } });
  };
  return { ...save, rename, pause };
}
