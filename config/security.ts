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
      'Whether too many wrong passwords lock a user out for a while: for HTTP Basic, and for every other channel that asks for a password. API keys work on.'
    ),
    lockout_attempts: setting.integer(
      5,
      { min: 1, max: 1000, unit: 'attempts' },
      'So many wrong passwords lock.'
    ),
    lockout_duration: setting.integer(
      15,
      { min: 1, max: 10_080, unit: 'minutes' },
      'How long a lock lasts, counted from the last wrong password; and how long wrong passwords are counted together.'
    ),
    track_ip_address: setting.boolean(
      true,
      'Whether wrong passwords count for the user and the address they came from (of IPv6 its /64), so that nobody locks others out. Without it, whoever knows a user name can lock that user out everywhere.'
    ),
    clear_attempts_on_success: setting.boolean(
      true,
      'Whether the right password in the web interface forgets the wrong ones before it. HTTP Basic never does.'
    ),
    whitelist_ip_addresses: setting.stringList(
      [],
      NETWORKS,
      'Addresses whose wrong passwords are not counted and which are never locked or refused; goes before the list of refused addresses.'
    ),
    blacklist_ip_addresses: setting.stringList(
      [],
      NETWORKS,
      'Addresses from which no password is accepted, also while enable_lockout is off. API keys work on.'
    ),
  },
  password_reset: {
    enabled: setting.boolean(
      true,
      'Whether whoever forgot their password gets a link for a new one by mail. Takes a mail server (smtp.*) and APP_URL.'
    ),
    valid_minutes: setting.integer(
      60,
      { min: 5, max: 1440, unit: 'minutes' },
      'How long such a link works.'
    ),
  },
  password_policy: {
    enable_password_rules: setting.boolean(
      false,
      'Whether new passwords have to follow the rules of this section. max_length holds in any case. Passwords that are stored already are not judged.'
    ),
    min_length: setting.integer(
      12,
      { min: 1, max: 128, unit: 'characters' },
      'The shortest new password.'
    ),
    max_length: setting.integer(
      1024,
      { min: 128, max: 4096, unit: 'characters' },
      'The longest new password.'
    ),
    require_uppercase: setting.boolean(false, 'Whether a new password needs an upper case letter.'),
    require_lowercase: setting.boolean(false, 'Whether a new password needs a lower case letter.'),
    require_numbers: setting.boolean(false, 'Whether a new password needs a digit.'),
    require_special: setting.boolean(
      false,
      'Whether a new password needs a character that is neither letter, digit nor blank.'
    ),
    refuse_username: setting.boolean(
      true,
      'Whether a new password must not contain the user name, in whatever case.'
    ),
  },
})
