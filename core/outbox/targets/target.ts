import type { NotificationTarget } from '../../domain/notification.ts';
import type { NotificationText } from '../notification-text.ts';

/** A service for people that takes messages in a form of its own, instead of signed events. */
export type PeopleTarget = Exclude<NotificationTarget, 'WEBHOOK'>;

/** Where messages of one destination go: what its owner entered. Sealed at rest, since it grants the right to post. */
export type TargetAddress = {
  readonly url: string;
  readonly token?: string;
  readonly chatId?: string;
};

/** The request that posts a message: its URL, and its body of JSON. */
export type TargetRequest = { readonly url: string; readonly body: string };

export type TargetFormat = {
  readonly requestOf: (address: TargetAddress, text: NotificationText) => TargetRequest;
  /** Why the service did not take a message, by the body of its answer; undefined if the body does not say. */
  readonly reasonOf: (answer: string) => string | undefined;
};
