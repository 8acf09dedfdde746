import { defineSettings, setting } from '#settings/define'

const ADDRESS = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,253}$/

export default defineSettings('smtp', {
  host: setting.string(
    '',
    {
      pattern: /^[A-Za-z0-9.:_-]{0,253}$/,
      says: 'a host name or an address; empty disables email',
    },
    'Host of the mail server. Mail is configured if host, from and APP_URL are set.'
  ),
  port: setting.integer(587, { min: 1, max: 65_535 }, 'Port of the mail server.'),
  security: setting.choice(
    'starttls',
    { choices: ['starttls', 'tls', 'none'] },
    'Encryption of the connection. starttls: begins unencrypted and requires STARTTLS. tls: TLS from the start (port 465). none: for a server on this machine.'
  ),
  username: setting.string(
    '',
    { isText: (text) => text.length <= 255, says: 'at most 255 characters' },
    'User name for the mail server; empty for none.'
  ),
  password: setting.secret('', 'Password for the mail server.'),
  from: setting.string(
    '',
    {
      isText: (text) => text === '' || ADDRESS.test(text),
      says: 'an address such as dns@example.com; empty disables email',
    },
    'Sender address of emails.'
  ),
  timeout: setting.integer(
    20,
    { min: 1, max: 300, unit: 'seconds' },
    'Timeout for each step of the dialogue with the mail server.'
  ),
})
