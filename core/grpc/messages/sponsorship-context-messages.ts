import { SponsorshipContextSchema, TokenInfoSchema } from '../../../proto/gen/tollfree/core/v1/sponsorship_pb.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readOptionalSeconds, writeOptionalSeconds } from './scalars.ts';

type TokenInfo = NonNullable<SponsorshipContext['tokenInfo']>;

const tokenInfoConverter = converter(
  TokenInfoSchema,
  ({ tokenList, ...fields }: TokenInfo) =>
    tokenList === undefined ? fields : { ...fields, tokenList: { values: [...tokenList] } },
  ({ preferredToken, tokenList, feeTokenAddress }): TokenInfo =>
    omitAbsent({ preferredToken, tokenList: tokenList?.values, feeTokenAddress }),
);

export const sponsorshipContextConverter = converter(
  SponsorshipContextSchema,
  (context: SponsorshipContext) =>
    omitAbsent({
      ...context,
      expiryDuration: writeOptionalSeconds(context.expiryDuration),
      tokenInfo: context.tokenInfo === undefined ? undefined : tokenInfoConverter.toMessage(context.tokenInfo),
    }),
  ({ smartAccountInfo, tokenInfo, ...message }): SponsorshipContext =>
    omitAbsent({
      mode: message.mode,
      calculateGasLimits: message.calculateGasLimits,
      expiryDuration: readOptionalSeconds(message.expiryDuration),
      webhookDataJson: message.webhookDataJson,
      sponsorshipInfoGiven: message.sponsorshipInfoGiven,
      smartAccountInfo:
        smartAccountInfo === undefined ? undefined : { name: smartAccountInfo.name, version: smartAccountInfo.version },
      tokenInfo: tokenInfo === undefined ? undefined : tokenInfoConverter.toDomain(tokenInfo),
    }),
);
