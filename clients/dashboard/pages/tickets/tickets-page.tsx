import { useQuery } from '@tanstack/react-query';
import { ticketKeysQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { TicketKeyForm } from './ticket-key-form.tsx';
import { TicketKeyList } from './ticket-key-list.tsx';
import { UseOfTickets } from './use-of-tickets.tsx';

/** The keys that sign the tickets of users. */
export function TicketsPage() {
  const query = useQuery(ticketKeysQuery(usePaymaster()));
  return (
    <Page
      title="Tickets"
      lead="A paymaster’s URL is public, so anyone can call it. A ticket is signed by your server or your login and names the sponsored user. A key lets this service verify it."
      actions={
        <PanelButton text="New key" kind="primary" needs={['manage']} title="New key for tickets">
          {(close) => <TicketKeyForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card title="Keys that sign tickets">
        <Loaded query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty title="No keys yet.">Tickets are ignored until there is a key.</Empty>
            ) : (
              <TicketKeyList keys={keys} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Using tickets">
        <UseOfTickets />
      </Card>
    </Page>
  );
}
