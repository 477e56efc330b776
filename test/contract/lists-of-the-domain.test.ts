import { expect, test } from 'vitest';
import { scopes as contractScopes } from '../../contract/access/scope.ts';
import { NotificationDeliverySchema } from '../../contract/notification.ts';
import { rpcRefusals } from '../../contract/rpc/refusals.ts';
import { signUpModes as contractModes } from '../../contract/sign-in/session.ts';
import { scopes } from '../../core/domain/access/scope.ts';
import { notificationTypes } from '../../core/domain/notification.ts';
import { managementReasons, sponsorshipReasons } from '../../core/domain/result/refusal.ts';
import { signUpModes } from '../../core/domain/sign-in.ts';
import { refusalAnswers } from '../../gateway/management/refusal-answers.ts';

test('every reason to refuse a sponsorship has a code on the RPC endpoint', () => {
  expect(Object.keys(rpcRefusals).sort()).toEqual([...sponsorshipReasons].sort());
});

test('every reason to refuse a management call has an answer', () => {
  expect(managementReasons.filter((reason) => !(reason in refusalAnswers))).toEqual([]);
});

test('the interface names the events that the core tells about', () => {
  expect(NotificationDeliverySchema.shape.type.options).toEqual([...notificationTypes]);
});

test('the interface names the scopes that the core knows', () => {
  expect(contractScopes).toEqual(scopes);
});

test('the interface names the modes of signing up that the core knows', () => {
  expect(contractModes).toEqual(signUpModes);
});
