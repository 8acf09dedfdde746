import { defineSettings, setting } from '#settings/define'

const ADDRESS = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,253}$/

export default defineSettings('smtp', {
  host: setting.string(
    '',
    {
      pattern: /^[A-Za-z0-9.:_-]{0,253}$/,
      says: 'a host name or an address; empty sends no mail',
    },
    'The mail server that takes mail of the web interface. Mail counts as configured when host, from and APP_URL are set.'
  ),
  port: setting.integer(587, { min: 1, max: 65_535 }, 'Its port.'),
  security: setting.choice(
    'starttls',
    { choices: ['starttls', 'tls', 'none'] },
    'How the connection is encrypted: starttls begins in the clear and goes no further without TLS, tls is TLS from the start (port 465), none is for a server on this machine.'
  ),
  username: setting.string(
    '',
    { isText: (text) => text.length <= 255, says: 'at most 255 characters' },
    'The name to sign in with at the mail server; empty for none.'
  ),
  password: setting.secret('', 'The password that goes with it.'),
  from: setting.string(
    '',
    {
      isText: (text) => text === '' || ADDRESS.test(text),
      says: 'an address such as dns@example.com; empty sends no mail',
    },
    'The address that mail comes from.'
  ),
  timeout: setting.integer(
    20,
    { min: 1, max: 300, unit: 'seconds' },
    'How long the mail server may take for each step.'
  ),
})
