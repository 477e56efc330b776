import { useQuery } from '@tanstack/react-query';
import { ticketKeysQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
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
      lead="The address of a paymaster is public, so anybody can ask it. A ticket is a signed text by which your server, or your login, says for which user you pay. With a key this service can tell that it is from you."
    >
      <Card title="Keys that sign tickets">
        <Loaded query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty title="There are none.">No ticket is looked at until there is a key.</Empty>
            ) : (
              <TicketKeyList keys={keys} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Add a key">
        <TicketKeyForm />
      </Card>
      <Card title="How they are used">
        <UseOfTickets />
      </Card>
    </Page>
  );
}
