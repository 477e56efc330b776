import { useMutation } from '@tanstack/react-query';
import { maxNameLength } from '@tollfree/contract/limits';
import type { PaymasterItem, UpdatePaymasterRequest } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';

/** The paymaster's name, and whether it is active. */
export function SettingsPage() {
  const { paymasterId, name, retiredAt } = usePaymaster();
  const lead = 'Name and state of this paymaster.';
  if (retiredAt !== undefined) {
    return (
      <Page title="Settings" lead={lead}>
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
    <Page title="Settings" lead={lead}>
      <Card title="Rename">
        <RenameForm key={name} />
      </Card>
      <Card title="Pause" lead="If something is wrong: stops all sponsorship immediately, until you resume it.">
        <PauseButton />
      </Card>
      <Card title="Retire" lead="If the application no longer exists.">
        <RetireForm />
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
      onSubmit={() => rename.mutate({ name: name.trim() }, { onSuccess: () => toast('Paymaster renamed.') })}
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
        <li>It never sponsors anything again and becomes read-only. This cannot be undone.</li>
        <li>Its other API keys end. Its own API key can only read the ledger.</li>
        <li>Operations that are already signed can still land and are paid.</li>
        <li>Gas tank, statements, usage and activity stay. The balance can be withdrawn as before.</li>
        <li>It stays in the list of your paymasters and keeps its name.</li>
      </ul>
      <TextInput label="Type its name to retire it" hint={name} value={typed} onChange={setTyped} />
    </FieldForm>
  );
}

/** Pauses and resumes a paymaster. */
function PauseButton() {
  const paymaster = usePaymaster();
  const change = useChangePaymaster(paymaster);
  return (
    <div className="stack">
      <p>
        {paymaster.pausedAt === undefined ? (
          <Badge kind="good">Answering requests</Badge>
        ) : (
          <Badge kind="warn">Paused</Badge>
        )}
      </p>
      <div className="actions">
        {paymaster.pausedAt === undefined ? (
          <ConfirmButton
            text="Pause"
            needs={['manage']}
            title={`Pause “${paymaster.name}”?`}
            confirm="Pause paymaster"
            isPending={change.isPending}
            onConfirm={() => change.mutate({ paused: true })}
          >
            Every request is refused from now on. Operations that are already signed can still land and are paid. You
            can resume it at any time.
          </ConfirmButton>
        ) : (
          <Button
            kind="primary"
            needs={['manage']}
            isPending={change.isPending}
            onPress={() => change.mutate({ paused: false })}
          >
            Resume
          </Button>
        )}
      </div>
      <Problem error={change.error} />
    </div>
  );
}

/** Renames a paymaster, pauses it or resumes it. */
function useChangePaymaster({ paymasterId }: PaymasterItem) {
  return useMutation({
    mutationFn: (body: UpdatePaymasterRequest) =>
      routes.paymaster.update({ headers: {}, params: { paymasterId }, body }),
  });
}
