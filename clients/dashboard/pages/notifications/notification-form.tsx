import { useMutation } from '@tanstack/react-query';
import { maxUrlLength } from '@tollfree/contract/limits';
import type { NotificationItem } from '@tollfree/contract/notification';
import { useState } from 'react';
import { formatEther, parseEther } from 'viem';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Check } from '../../parts/choice.tsx';
import { FieldForm, type FieldFormProps } from '../../parts/field-form.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { wrongUrl } from '../../parts/text/wrong-url.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { eventLabels, type NotificationEvent } from './event-words.ts';
import { notificationSettings, useSaveNotification } from './use-save-notification.ts';

/** What a notification is sent for. */
type Settings = Pick<NotificationItem, 'events' | 'tankLow'>;

/** Adds a URL with its events. */
export function NotificationForm({ onDone }: { readonly onDone: () => void }) {
  const headers = headersOf(usePaymaster());
  const save = useMutation({
    mutationFn: ({ url, ...settings }: Settings & { readonly url: string }) =>
      routes.notification.create({ headers, body: { url, ...settings } }),
    onSuccess: () => {
      toast('Notification added.');
      onDone();
    },
  });
  return <Fields action={save} onSubmit={save.mutate} />;
}

type ChangeNotificationProps = { readonly notification: NotificationItem; readonly onDone: () => void };

/** Changes the events of a URL, which stays. */
export function ChangeNotification({ notification, onDone }: ChangeNotificationProps) {
  // As the form was opened.
  const [seen] = useState(() => notificationSettings(notification));
  const save = useSaveNotification(notification);
  return (
    <Fields
      notification={notification}
      action={save}
      onSubmit={({ events, tankLow = seen.settings.tankLow }) =>
        save.mutate(
          { seen, mine: { ...seen.settings, events, tankLow } },
          {
            onSuccess: () => {
              toast('Notification saved.');
              onDone();
            },
          },
        )
      }
    />
  );
}

type FieldsProps = {
  /** The notification to change; absent for a new one. */
  readonly notification?: NotificationItem;
  readonly onSubmit: (filled: Settings & { readonly url: string }) => void;
} & Pick<FieldFormProps, 'action'>;

function Fields({ notification, action, onSubmit }: FieldsProps) {
  const { tankLow } = notification ?? {};
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly NotificationEvent[]>(notification?.events ?? ['tank.low']);
  const [coin, setCoin] = useState(
    tankLow?.thresholdWei === undefined ? '' : formatEther(BigInt(tankLow.thresholdWei)),
  );
  const [days, setDays] = useState(tankLow?.daysLeft === undefined ? '3' : String(tankLow.daysLeft));
  const submit = () =>
    onSubmit({
      url: url.trim(),
      events: [...events],
      ...(events.includes('tank.low') ? { tankLow: tankLowOf(coin, days) } : {}),
    });
  return (
    <FieldForm
      action={action}
      submit={notification === undefined ? 'Add notification' : 'Save'}
      isDisabled={events.length === 0}
      onSubmit={submit}
    >
      {notification === undefined ? (
        <TextInput
          label="URL"
          name="url"
          placeholder="https://"
          hint="It gets a signed POST after each event. Must be https and public, unless the operator allows others."
          isRequired
          maxLength={maxUrlLength}
          value={url}
          onChange={setUrl}
          check={wrongUrl}
        />
      ) : (
        <p>
          <code>{notification.url}</code>
        </p>
      )}
      <fieldset className="stack">
        <legend className="label">Events</legend>
        {(Object.keys(eventLabels) as NotificationEvent[]).map((event) => (
          <Check
            key={event}
            isSelected={events.includes(event)}
            onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((each) => each !== event))}
          >
            {eventLabels[event].title} <code className="small muted">{event}</code>
            <div className="hint">{eventLabels[event].hint}</div>
          </Check>
        ))}
      </fieldset>
      {events.includes('tank.low') ? (
        <TankLowFields coin={coin} setCoin={setCoin} days={days} setDays={setDays} />
      ) : null}
    </FieldForm>
  );
}

type TankLowFieldsProps = {
  readonly coin: string;
  readonly setCoin: (coin: string) => void;
  readonly days: string;
  readonly setDays: (days: string) => void;
};

function TankLowFields({ coin, setCoin, days, setDays }: TankLowFieldsProps) {
  const { chainId } = usePaymaster();
  return (
    <div className="form-row">
      <TextInput
        label={`Low below, in ${coinName(chainId)}`}
        placeholder="0.1"
        value={coin}
        onChange={setCoin}
        check={(text) => (text === '' || /^\d{1,9}(\.\d{1,18})?$/.test(text) ? undefined : 'Write an amount like 0.1.')}
      />
      <TextInput
        label="Low below, in days"
        numeric
        value={days}
        onChange={setDays}
        check={(text) => (/^\d*$/.test(text) ? undefined : 'Write a whole number of days.')}
      />
    </div>
  );
}

/** The thresholds that were filled in. */
function tankLowOf(coin: string, days: string) {
  return {
    ...(coin.trim() === '' ? {} : { thresholdWei: parseEther(coin.trim()).toString() }),
    ...(days.trim() === '' ? {} : { daysLeft: Number(days) }),
  };
}
