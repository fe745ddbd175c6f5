/** Where webhooks may be sent, and when they are sent again. */
import { expect, it } from 'vitest';
import { receiveWebhooks } from '../../../test-support/webhook-receiver.ts';
import { createPost } from './post.ts';
import { isPrivateAddress } from './private-addresses.ts';
import { askedWait, pauseAfter, waitAfter } from './waits.ts';

const sentTo = (url: string, isNear = false) => ({
  url: new URL(url),
  method: 'POST' as const,
  headers: {},
  body: '{}',
  isNear,
});

it.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'])(
  'refuses %s, and the same in IPv6',
  (address) => {
    expect(isPrivateAddress(address)).toBe(true);
    expect(isPrivateAddress(`::ffff:${address}`)).toBe(true);
    expect(isPrivateAddress(`64:ff9b::${address}`)).toBe(true);
  },
);

it('tells public addresses from private ones', () => {
  expect(
    ['::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '2002:7f00:1::', 'none'].filter((one) => !isPrivateAddress(one)),
  ).toEqual([]);
  expect(['93.184.216.34', '::ffff:93.184.216.34', '2606:4700::1111', '172.32.0.1'].filter(isPrivateAddress)).toEqual(
    [],
  );
});

it('sends nothing to private addresses, however they are written', async () => {
  const receiver = await receiveWebhooks();
  const { post, close } = createPost({ allowsPrivate: false, most: 1 });
  try {
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'localhost']) {
      await expect(post(sentTo(`http://${host}:${port}/`)), host).rejects.toThrow('private address');
    }
    await expect(post(sentTo('http://example.org:22/'))).rejects.toThrow('port 22');
    expect(receiver.told).toEqual([]);
    // Such as a Varnish beside the server.
    expect((await post(sentTo(receiver.url, true))).status).toBe(401);
  } finally {
    close();
    await receiver.close();
  }
});

it('waits longer after each failure, and as long as it is asked to, within bounds', () => {
  const middle = () => 0.5;
  expect([1, 2, 3, 7, 50].map((attempts) => waitAfter(attempts, middle) / 1000)).toEqual([5, 30, 300, 36_000, 36_000]);
  expect([4, 5, 6, 100].map((failures) => pauseAfter(failures, middle) / 1000)).toEqual([0, 5, 10, 900]);
  expect(['120', '999999', 'soon', undefined].map((asked) => askedWait(asked, 0) / 1000)).toEqual([120, 3600, 0, 0]);
  expect(askedWait(new Date(60_000).toUTCString(), 0)).toBe(60_000);
});
