import type { Migration } from '../migration.ts';

/** A page of deliveries in one state is found without reading the others that are kept, of a paymaster and of a destination. */
export const deliveriesByState: Migration = {
  version: 59,
  name: 'deliveries-by-state',
  sql: () => `
    DROP INDEX undelivered_by_paymaster;
    DROP INDEX pending_by_destination;
    CREATE INDEX deliveries_by_state ON notification_deliveries (paymaster_id, state, delivery_number);
    CREATE INDEX deliveries_by_destination_and_state
      ON notification_deliveries (notification_id, state, delivery_number);
  `,
};
