import * as api from '@tollfree/contract/overview';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';
import { decisionMethods, FirstCallSchema, SettlementSchema } from './decision.ts';
import { refusalReason } from './result/refusal.ts';

/** What a paymaster did on a UTC day. Amounts in wei. */
const OverviewDaySchema = message('OverviewDay', fieldsOfApi(api.OverviewDaySchema));

/** What the paymaster's funding wallet has in the relay. Wei. */
const OverviewRelayTankSchema = message('OverviewRelayTank', fieldsOfApi(api.OverviewTankSchema.shape.relay.unwrap()));

/** A gas tank without its details. Amounts in wei. */
const OverviewTankSchema = message(
  'OverviewTank',
  fieldsOfApi(api.OverviewTankSchema, { relay: OverviewRelayTankSchema }),
);
export type OverviewTank = z.output<typeof OverviewTankSchema>;

/** How many requests were refused for a reason. */
const RefusalCountSchema = message('RefusalCount', fieldsOfApi(api.RefusalCountSchema));

/** A paymaster of the overview. */
const OverviewPaymasterSchema = message(
  'OverviewPaymaster',
  fieldsOfApi(api.OverviewPaymasterSchema, {
    days: OverviewDaySchema,
    tank: OverviewTankSchema,
    refusals: RefusalCountSchema,
  }),
);
export type OverviewPaymaster = z.output<typeof OverviewPaymasterSchema>;

/** A decision without its reasons and its request. */
const OverviewDecisionSchema = message(
  'OverviewDecision',
  fieldsOfApi(api.OverviewDecisionSchema, {
    method: z.enum(decisionMethods),
    reason: refusalReason,
    settlement: SettlementSchema,
    firstCall: FirstCallSchema,
  }),
);
export type OverviewDecision = z.output<typeof OverviewDecisionSchema>;

/** A page of the overview; `nextCursor` is absent on the last one. */
export const OverviewSchema = message(
  'Overview',
  fieldsOfApi(api.OverviewSchema, { paymasters: OverviewPaymasterSchema, recent: OverviewDecisionSchema }),
);
