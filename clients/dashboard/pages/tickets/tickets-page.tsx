import { useQuery } from '@tanstack/react-query';
import { ticketKeysQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { TicketKeyForm } from './ticket-key-form.tsx';
import { TicketKeyList } from './ticket-key-list.tsx';

/** The keys that sign the tickets of users. */
export function TicketsPage() {
  const query = useQuery(ticketKeysQuery(usePaymaster()));
  return (
    <Page
      title="Tickets"
      lead="Signed texts that your backend, or your login, gives its users: they say for whom an operation is paid for. The policy can ask for one."
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
    </Page>
  );
}
