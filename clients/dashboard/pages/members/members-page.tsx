import { scopes } from '@tollfree/contract/access/scope';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { AccountList } from './account-list.tsx';
import { MemberForm } from './member-form.tsx';
import { MemberList } from './member-list.tsx';

/** The account's members and their roles, and the other accounts of the current wallet. */
export function MembersPage() {
  return (
    <Page
      title="Members"
      lead="The wallets that sign in to this account, and their roles."
      actions={
        <PanelButton
          text="Invite a wallet"
          kind="primary"
          needs={scopes}
          title="Invite a wallet"
          lead="Its owner signs in here. The wallet need not have been used here before."
        >
          {() => <MemberForm />}
        </PanelButton>
      }
    >
      <Card title="Members">
        <MemberList />
      </Card>
      <Card
        title="Your accounts"
        lead="A wallet can be a member of several accounts. The dashboard shows one at a time."
      >
        <AccountList />
      </Card>
    </Page>
  );
}
