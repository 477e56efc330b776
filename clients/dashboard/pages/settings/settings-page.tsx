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
