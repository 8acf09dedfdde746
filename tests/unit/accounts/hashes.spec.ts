import { test } from '@japa/runner'
import { parseHash } from '#accounts/passwords/formats'
import {
  costForEnvironment,
  matchesHash,
  isOutdated,
  hashPassword,
} from '#accounts/passwords/hashes'

const SALT = 'c29tZXNhbHQ'
const SCRYPT =
  '$scrypt$n=1024,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA'

/** Hashes that other programs created. */
const KNOWN: [what: string, password: string, hash: string][] = [
  [
    'Argon2i of the reference implementation',
    'password',
    `$argon2i$v=19$m=256,t=2,p=1$${SALT}$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8`,
  ],
  [
    'Argon2id of the reference implementation',
    'password',
    `$argon2id$v=19$m=256,t=2,p=1$${SALT}$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`,
  ],
  [
    'Argon2id with 64 MiB',
    'password',
    `$argon2id$v=19$m=65536,t=2,p=1$${SALT}$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc`,
  ],
  [
    'Argon2id with two lanes',
    'password',
    `$argon2id$v=19$m=256,t=2,p=2$${SALT}$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc`,
  ],
  ['bcrypt $2a$', 'abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
  [
    'bcrypt of PHP',
    'rasmuslerdorf',
    '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq',
  ],
  [
    'bcrypt of libxcrypt, with umlauts',
    'pässwörd',
    '$2y$10$BCryptRequires22Chrcte0TF7zPzoHPAwOZ.KscHf891SetaRJIu',
  ],
  [
    'bcrypt $2b$',
    'abcdefghijklmnopqrstuvwxyz',
    '$2b$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC',
  ],
]

test.group('Passwords | hashes', () => {
  for (const [what, password, hash] of KNOWN) {
    test(`${what} matches its password only, and is outdated`, async ({ assert }) => {
      assert.isTrue(await matchesHash(hash, password))
      assert.isFalse(await matchesHash(hash, `${password} `))
      assert.isFalse(await matchesHash(hash, ''))
      assert.isTrue(isOutdated(hash))
    })
  }

  test('a scrypt hash of AdonisJS matches, and is outdated', async ({ assert }) => {
    const { Scrypt } = await import('@adonisjs/core/hash/drivers/scrypt')
    const options = { cost: 16_384, blockSize: 8, parallelization: 1, maxMemory: 33_554_432 }
    const hash = await new Scrypt(options).make('pass wörd')
    assert.isTrue(await matchesHash(hash, 'pass wörd'))
    assert.isFalse(await matchesHash(hash, 'pass word'))
    assert.isTrue(isOutdated(hash))
  })

  test('a new hash is Argon2id with a random salt, current, and matches', async ({ assert }) => {
    const cost = costForEnvironment('production')
    const [one, other] = [
      await hashPassword('ein päßwort', cost),
      await hashPassword('ein päßwort', cost),
    ]
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, other)
    assert.isFalse(isOutdated(one, cost))
    assert.isTrue(await matchesHash(one, 'ein päßwort'))
    assert.isFalse(await matchesHash(one, 'ein Päßwort'))
  })

  test('hashes are only cheap in tests, and hashes of tests are outdated elsewhere', async ({
    assert,
  }) => {
    const safe = costForEnvironment('production')
    for (const environment of ['development', 'testing', 'Test', '', undefined]) {
      assert.deepEqual(costForEnvironment(environment), safe)
    }
    const cheap = await hashPassword('password', costForEnvironment('test'))
    assert.isTrue(await matchesHash(cheap, 'password'))
    assert.isTrue(isOutdated(cheap, safe))
  })

  for (const hash of [
    '',
    'password',
    '$argon2id$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    `$argon2id$v=19$m=4194304,t=2,p=1$${SALT}$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`,
    `$argon2id$v=19$m=256,t=999,p=1$${SALT}$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`,
    `$argon2id$v=19$m=8,t=2,p=2$${SALT}$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`,
    `$argon2id$v=19$m=256,t=2,p=1$${SALT}$nf65`,
    `${SCRYPT}`,
    SCRYPT.replace('n=1024', 'n=1000'),
    SCRYPT.replace('n=1024', 'n=9999999'),
    '$2a$31$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i',
    '$2x$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i',
    '$2a$06$short',
  ]) {
    test(`no password matches "${hash.slice(0, 40)}", and no hash is computed`, async ({
      assert,
    }) => {
      assert.isNull(parseHash(hash))
      assert.isFalse(await matchesHash(hash, 'password'))
      assert.isTrue(isOutdated(hash))
    })
  }
})
