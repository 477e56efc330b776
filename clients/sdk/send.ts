/** The exports of `@tollfree/sdk/send`. */
export { type SendFailure, SendSponsoredError, type SendStep } from './errors/send-sponsored-error.ts';
export { type SendSponsoredParameters, type SentSponsored, sendSponsored } from './send/send-sponsored.ts';
