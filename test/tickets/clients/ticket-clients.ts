import { candideTicketClient } from './candide-ticket-client.ts';
import { pimlicoTicketClient } from './pimlico-ticket-client.ts';
import { sendingTicketClients } from './sending-ticket-clients.ts';
import type { TicketClient } from './ticket-client.ts';
import { walletTicketClients } from './wallet-ticket-clients.ts';

/** The rows of the table in `docs/guides/tickets.md`. */
export const ticketClients: readonly TicketClient[] = [
  ...sendingTicketClients,
  pimlicoTicketClient,
  candideTicketClient,
  ...walletTicketClients,
];
