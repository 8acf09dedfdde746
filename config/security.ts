import { NETWORK_FORMS, parseNetwork } from '#dns/addresses/networks'
import { defineSettings, setting } from '#settings/define'

const NETWORKS = {
  isItem: (text: string) => parseNetwork(text) !== undefined,
  says: NETWORK_FORMS,
}

export default defineSettings('security', {
  account_lockout: {
    enable_lockout: setting.boolean(
      false,
      'Blocks sign-in by password for a time after too many wrong passwords, in every channel. API keys keep working.'
    ),
    lockout_attempts: setting.integer(
      5,
      { min: 1, max: 1000, unit: 'attempts' },
      'Number of wrong passwords after which sign-in is blocked.'
    ),
    lockout_duration: setting.integer(
      15,
      { min: 1, max: 10_080, unit: 'minutes' },
      'Duration of the block, from the last wrong password, and length of the window in which wrong passwords are counted.'
    ),
    track_ip_address: setting.boolean(
      true,
      'Counts wrong passwords by user and client address (IPv6: its /64). Without it, anyone who knows a user name can block that user everywhere.'
    ),
    clear_attempts_on_success: setting.boolean(
      true,
      'Resets the counter after a sign-in in the web interface. HTTP Basic never resets it.'
    ),
    whitelist_ip_addresses: setting.stringList(
      [],
      NETWORKS,
      'Client addresses whose wrong passwords are not counted and which are never blocked. Takes precedence over blacklist_ip_addresses.'
    ),
    blacklist_ip_addresses: setting.stringList(
      [],
      NETWORKS,
      'Client addresses from which no password is accepted, even without enable_lockout. API keys keep working.'
    ),
  },
  password_reset: {
    enabled: setting.boolean(
      true,
      'Allows users to request a link for a new password by email. Needs a mail server (smtp.*) and APP_URL.'
    ),
    valid_minutes: setting.integer(
      60,
      { min: 5, max: 1440, unit: 'minutes' },
      'Lifetime of a password reset link.'
    ),
  },
  password_policy: {
    enable_password_rules: setting.boolean(
      false,
      'Applies the rules of this section to new passwords. max_length always applies. Stored passwords are not checked.'
    ),
    min_length: setting.integer(
      12,
      { min: 1, max: 128, unit: 'characters' },
      'Minimum length of a new password.'
    ),
    max_length: setting.integer(
      1024,
      { min: 128, max: 4096, unit: 'characters' },
      'Maximum length of a new password.'
    ),
    require_uppercase: setting.boolean(false, 'Requires an upper case letter in new passwords.'),
    require_lowercase: setting.boolean(false, 'Requires a lower case letter in new passwords.'),
    require_numbers: setting.boolean(false, 'Requires a digit in new passwords.'),
    require_special: setting.boolean(
      false,
      'Requires a character in new passwords that is not a letter, digit or space.'
    ),
    refuse_username: setting.boolean(
      true,
      'Refuses new passwords that contain the user name, ignoring case.'
    ),
  },
})
