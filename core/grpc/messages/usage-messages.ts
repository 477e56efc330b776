import { UsageRowListSchema, UsageRowSchema } from '../../../proto/gen/tollfree/core/v1/usage_pb.ts';
import type { UsageRow } from '../../domain/usage.ts';
import { adapted } from '../codec/adapted.ts';
import { count } from '../codec/count.ts';
import { decimal } from '../codec/decimal.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';

type Flat = Omit<UsageRow, 'decisions'> & UsageRow['decisions'];
const flat = messageOf<Flat>()(UsageRowSchema, {
  signed: count,
  quoted: count,
  stub: count,
  refused: count,
  landed: count,
  charge: decimal,
  usersPaid: decimal,
  chargeUsdMicros: decimal,
  unpriced: count,
  held: decimal,
});

/** The numbers of decisions stand among the other fields on the wire. */
const usageRow = adapted(
  flat,
  ({ decisions, ...row }: UsageRow) => ({ ...row, ...decisions }),
  ({ signed, quoted, stub, refused, ...row }): UsageRow => ({
    ...row,
    decisions: { signed, quoted, stub, refused },
  }),
);
export const usageRows = soleField(UsageRowListSchema, listOf(usageRow));
