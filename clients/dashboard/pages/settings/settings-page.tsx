import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { PauseButton } from './pause-button.tsx';
import { RenameForm } from './rename-form.tsx';
import { RetireForm } from './retire-form.tsx';

/** What a paymaster is called, and whether it answers. */
export function SettingsPage() {
  const { paymasterId, name, retiredAt } = usePaymaster();
  const lead = 'What this paymaster is called, and whether it pays.';
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
      <Card title="Pause" lead="For when something is wrong: it stops at once, and goes on when you say so.">
        <PauseButton />
      </Card>
      <Card title="Retire" lead="For when the application is no more.">
        <RetireForm />
      </Card>
    </Page>
  );
}
