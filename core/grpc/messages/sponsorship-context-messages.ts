import {
  SmartAccountInfoSchema,
  SponsorshipContextSchema,
  TokenInfoSchema,
  TokenPermitSchema,
} from '../../../proto/gen/tollfree/core/v1/sponsorship_pb.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import { messageOf } from '../codec/message-of.ts';
import { seconds } from '../codec/seconds.ts';
import { textList } from './text-list.ts';

type SmartAccountInfo = NonNullable<SponsorshipContext['smartAccountInfo']>;
type TokenInfo = NonNullable<SponsorshipContext['tokenInfo']>;
type TokenPermit = NonNullable<SponsorshipContext['permit']>;

export const sponsorshipContext = messageOf<SponsorshipContext>()(SponsorshipContextSchema, {
  expiryDuration: seconds,
  smartAccountInfo: messageOf<SmartAccountInfo>()(SmartAccountInfoSchema),
  tokenInfo: messageOf<TokenInfo>()(TokenInfoSchema, { tokenList: textList }),
  permit: messageOf<TokenPermit>()(TokenPermitSchema),
});

/** What a caller that sends no context means. */
export const emptyContext: SponsorshipContext = { sponsorshipInfoGiven: false };
