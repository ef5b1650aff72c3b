import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { evaluate, renderText } from '../../../src/language/render.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer, variables } from '../scopes.js';

describe('lookups', () => {
  let folder = '';
  let scope: Variables;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-lookups-'));
    await mkdir(join(folder, 'files'));
    await writeFile(join(folder, 'files', 'banner.txt'), '  hello {{x}}\n\n');
    await writeFile(join(folder, 'beside.txt'), 'beside');
    await writeFile(join(folder, 'jinja.j2'), 'a\n  {% if x %}y');
    await writeFile(join(folder, 'secret.txt'), '$ANSIBLE_VAULT;1.1;AES256\n6162\n');
    await mkdir(join(folder, 'role', 'files'), { recursive: true });
    await mkdir(join(folder, 'role', 'templates'));
    await writeFile(join(folder, 'role', 'files', 'banner.txt'), 'of the role');
    await writeFile(join(folder, 'role', 'templates', 'page.j2'), 'role in {{zone}}');
    scope = variables({ playbook_dir: folder, port_eu: 443, zone: 'eu', marker: join(folder, 'marker') });
  });

  afterEach(() => rm(folder, { recursive: true }));

  const value = (expression: string): unknown => evaluate(expression, scope, HERE);

  it('read the environment', () => {
    expect(value('env("PATH")')).to.equal(process.env['PATH']);
    expect(value('lookup("env", "PATH")')).to.equal(process.env['PATH']);
    expect(renderText('{{env "PATH"}}', scope)).to.equal(process.env['PATH']);
    expect(value('env("EVENKEEL_NOT_SET")')).to.equal('');
    expect(value('lookup("env", "EVENKEEL_NOT_SET", default="x")')).to.equal('x');
    expect(value('query("ansible.builtin.env", "EVENKEEL_NOT_SET", "PATH")')).to.deep.equal(['', process.env['PATH']]);
  });

  it('read files in files/ and beside the playbook, and never render them', () => {
    expect(value('file("banner.txt")')).to.equal('  hello {{x}}');
    expect(value('lookup("file", "beside.txt")')).to.equal('beside');
    expect(value('lookup("file", "beside.txt", "beside.txt")')).to.equal('beside,beside');
    expect(failure(() => value('file("gone.txt")'))).to.deep.include({
      message: 'file: there is no file "gone.txt"',
      hint: `looked in ${join(folder, 'files')}, ${folder}`,
      source: HERE,
    });
    expect(() => value('file("files")')).to.throw('file: there is no file "files"');
  });

  it('name searched folders from the working directory', () => {
    const found = (cwd: string): unknown => {
      const library = new Library(BUILT_IN).with({ cwd });
      const own = new Variables([layer({ playbook_dir: folder })], undefined, undefined, library);
      return failure(() => evaluate('file("gone.txt")', own, HERE));
    };
    expect(found(folder)).to.include({ hint: 'looked in files, .' });
    expect(found(join(folder, 'role'))).to.include({ hint: `looked in ${join(folder, 'files')}, ${folder}` });
  });

  it('find the first file that exists', () => {
    expect(value('first_found(["gone.txt", "beside.txt"])')).to.equal(join(folder, 'beside.txt'));
    expect(value('lookup("first_found", "gone.txt", "banner.txt")')).to.equal(join(folder, 'files', 'banner.txt'));
    expect(value('lookup("first_found", {"files": ["banner.txt"], "paths": ["files"]})')).to.equal(
      join(folder, 'files', 'banner.txt'),
    );
    expect(value('query("first_found", {"files": ["gone.txt"], "skip": true})')).to.deep.equal([]);
    expect(value('query("first_found", "gone.txt", "banner.txt", skip=true)')).to.deep.equal([
      join(folder, 'files', 'banner.txt'),
    ]);
    expect(() => value('first_found("gone.txt")')).to.throw('first_found: none of gone.txt exists');
  });

  it('find variables with computed names', () => {
    expect(value('vars("port_" ~ zone)')).to.equal(443);
    expect(value('lookup("vars", "port_" ~ zone)')).to.equal(443);
    expect(value('lookup("vars", "port_us", default=80)')).to.equal(80);
    expect(value('vars("port_us") | default(8080)')).to.equal(8080);
    expect(value('[vars("port_us", 80), vars("port_eu", 80)]')).to.deep.equal([80, 443]);
    expect(failure(() => value('vars("port_us") + 1'))).to.include({
      message: 'vars: variable "port_us" is not defined',
    });
  });

  it("return the output of a command, which runs in the playbook's folder", () => {
    expect(value('pipe("cat beside.txt; echo")')).to.equal('beside');
    expect(value('lookup("pipe", "pwd -P")')).to.be.a('string').that.includes('evenkeel-lookups-');
    // Longer than the system allows, so it cannot be started.
    expect(() => value('pipe("true " ~ "x" * 200000)')).to.throw('E2BIG');
    expect(value('pipe("echo next")')).to.equal('next');
    expect(failure(() => value('pipe("printf token:%s hush >&2; exit 3")'))).to.include({
      message: 'pipe: the command "printf token:%s hush >&2; exit 3" failed: exit code 3: token:********',
    });
  });

  it('run only when their value is needed', () => {
    expect(value('"x" if true else pipe("touch " ~ marker)')).to.equal('x');
    expect(value('zone | default(pipe("touch " ~ marker))')).to.equal('eu');
    expect(value('first_found([marker], skip=true)')).to.deep.equal([]);
  });

  it('are errors if they do not exist', () => {
    expect(failure(() => value('lookup("unheard_of", "x")'))).to.include({
      message: 'lookup: there is no lookup "unheard_of"',
      hint: 'use one of avi, cartesian, csvfile, dict, env, file, fileglob, first_found, flattened, indexed_items, ini, inventory_hostnames, items, lines, list, nested, password, pipe, random_choice, sequence, subelements, template, together, unvault, url, varnames, vars',
    });
    expect(failure(() => value('lookup("community.hashi_vault.hashi_vault", "x")'))).to.include({
      message: 'lookup: there is no lookup "community.hashi_vault.hashi_vault"',
      hint: 'write pipe("vault kv get -field=FIELD PATH")',
    });
    const names = `aws_secret secretsmanager_secret aws_ssm ssm_parameter azure_keyvault_secret bitwarden config
      conjur_variable consul_kv dig dnstxt etcd etcd3 filetree gcp_secret_manager vault_kv1_get vault_kv2_get vault_read
      k8s keyring lastpass merge_variables onepassword onepassword_raw passwordstore redis`;
    for (const name of names.split(/\s+/))
      expect(
        failure(() => value(`lookup("${name}", "x")`)),
        name,
      )
        .to.have.property('hint')
        .that.matches(/^(?:write|Evenkeel)/);
    expect(failure(() => value('lookup("community.crypto.gpg_fingerprint", "x")'))).to.include({
      hint: 'install its collection: ansible-galaxy collection install -p collections NAMESPACE.COLLECTION',
    });
    expect(value('query("community.general.flattened", [1, [2, [3]]])')).to.deep.equal([1, 2, 3]);
  });

  it('run an equal command once, for as long as its output is fresh', () => {
    const count = `echo x >>${folder}/runs; wc -l <${folder}/runs`;
    expect(value(`[pipe("${count}"), lookup("pipe", "${count}"), query("lines", "${count}")]`)).to.deep.equal([
      '1',
      '1',
      ['1'],
    ]);
    expect(value(`pipe("${count} ")`)).to.equal('2');
  });

  it('choose one of the terms, always the same one for a controller', () => {
    const chosen = (name: string): unknown =>
      evaluate(
        'lookup("random_choice", 1, 2, 3, 4, 5, 6, 7, 8)',
        scope.child([layer({ inventory_hostname: name })]),
        HERE,
      );
    expect(chosen('lb1')).to.equal(chosen('lb1'));
    expect(new Set(['lb1', 'lb2', 'lb3', 'lb4'].map(chosen)).size).to.be.above(1);
    expect(value('lookup("random_choice", "a", "b", seed=1)')).to.equal(value('["a", "b"] | random(seed=1)'));
    expect(value('query("random_choice")')).to.deep.equal([]);
  });

  it('select controllers by patterns', () => {
    const fleet = scope.child([layer({ groups: { all: ['lb1', 'lb2', 'lb3'], eu: ['lb1', 'lb2'], old: ['lb2'] } })]);
    const names = (patterns: string): unknown => evaluate(`query("inventory_hostnames", ${patterns})`, fleet, HERE);
    expect(names('"eu:!old"')).to.deep.equal(['lb1']);
    expect(names('"all", "!eu"')).to.deep.equal(['lb3']);
    expect(names('["eu[0]", "lb3"]')).to.deep.equal(['lb1', 'lb3']);
    expect(names('"none"')).to.deep.equal([]);
    expect(names('"eu[9]"')).to.deep.equal([]);
  });

  it('search the current role before the folder of the playbook', () => {
    const inRole = scope.child([layer({ role_path: join(folder, 'role') })]);
    expect(evaluate('lookup("file", "banner.txt")', inRole, HERE)).to.equal('of the role');
    expect(evaluate('lookup("file", "beside.txt")', inRole, HERE)).to.equal('beside');
    expect(evaluate('lookup("template", "page.j2")', inRole, HERE)).to.equal('role in eu');
  });

  it('report the position of a failure in a template file', async () => {
    const page = join(folder, 'fails.j2');
    const failing = async (text: string): Promise<unknown> => {
      await writeFile(page, text);
      return failure(() => value(`lookup("template", "fails.j2")`));
    };
    const at = (line: number, column: number): object => ({ source: { file: page, line, column } });
    expect(await failing('a\n  {{ gone }}')).to.deep.include(at(2, 3));
    expect(
      await failing('{% if zone %}\n{% for z in zone %}\n {{ z }} {{ z.x }}{% endfor %}{% endif %}'),
    ).to.deep.include(at(3, 10));
    expect(await failing('{% for z in zone %}\n{% for a in port_eu %}{% endfor %}{% endfor %}')).to.deep.include(
      at(2, 1),
    );
    expect(await failing('{% set a, b = [1] %}')).to.deep.include(at(1, 1));
    expect(await failing('{{#if zone}}\n{{zone + 1}}{{/if}}')).to.deep.include(at(2, 1));
    expect(await failing('#jinja2: trim_blocks: False\n{% if zone %}\n {{ gone }}{% endif %}')).to.deep.include(
      at(3, 2),
    );
    expect(
      await failing("#jinja2: variable_start_string: '<<', variable_end_string: '>>'\n\n x << gone >>"),
    ).to.deep.include(at(3, 1));
  });

  it('report the position of a syntax error in a template file', () => {
    expect(failure(() => value('lookup("template", "jinja.j2")'))).to.deep.include({
      message: '{% if x %} is never closed (line 2)',
      hint: 'write {% endif %} where it ends',
      source: { file: join(folder, 'jinja.j2'), line: 2, column: 3 },
    });
  });

  it('do not read an encrypted file as text', () => {
    expect(failure(() => value('file("secret.txt")'))).to.include({
      message: `file: "${join(folder, 'secret.txt')}" is encrypted, and this command does not decrypt files`,
    });
  });

  describe('with vault passwords', () => {
    const learned: string[] = [];
    let keeping: Variables;

    beforeEach(() => {
      const secrets = {
        decrypt: (envelope: string) => {
          if (envelope.includes('6162')) return 'clear {{zone}}\n';
          throw new Error('cannot be decrypted');
        },
        learn: (one: string) => learned.push(one),
      };
      const library = new Library(BUILT_IN).with({ secrets });
      keeping = new Variables([layer({ playbook_dir: folder, zone: 'eu' })], undefined, undefined, library);
    });

    const secret = (expression: string, more: Mapping = {}): unknown =>
      evaluate(expression, keeping.child([layer(more)]), HERE);

    it('decrypt files', async () => {
      await writeFile(join(folder, 'other.txt'), '$ANSIBLE_VAULT;1.1;AES256\n6363\n');
      expect(secret('file("secret.txt")')).to.equal('clear {{zone}}');
      expect(secret('lookup("unvault", "secret.txt")')).to.equal('clear {{zone}}\n');
      expect(secret('lookup("unvault", "beside.txt")')).to.equal('beside');
      expect(secret('lookup("template", "secret.txt")')).to.equal('clear eu\n');
      expect(failure(() => secret('file("other.txt")'))).to.include({
        message: `file: "${join(folder, 'other.txt')}" cannot be decrypted`,
      });
    });

    it('create passwords once, in files that only their owner can read', async () => {
      const first = secret('lookup("password", "made/lb1 length=12 chars=ascii_letters,digits")');
      expect(first).to.match(/^[A-Za-z0-9]{12}$/);
      expect(learned).to.include(first);
      expect(secret('lookup("password", "made/lb1")')).to.equal(first);
      expect(secret('lookup("password", "made/lb2", length=12)')).to.not.equal(first);
      const file = join(folder, 'made', 'lb1');
      expect(await readFile(file, 'utf8')).to.equal(`${String(first)}\n`);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect((await stat(join(folder, 'made'))).mode & 0o777).to.equal(0o700);
      expect((await readdir(join(folder, 'made'))).sort()).to.deep.equal(['lb1', 'lb2']);
    });

    it('create the same passwords as Ansible from a seed', () => {
      expect(secret('lookup("password", "/dev/null length=8 chars=ascii_letters seed=abc")')).to.equal('XJDTwXwk');
      expect(secret('lookup("password", "/dev/null", seed="abc", length=12, chars=["digits", "+-"])')).to.equal(
        '87-5524031++',
      );
      expect(secret('lookup("password", "/dev/null chars=a,,b,digits length=30 seed=x")')).to.equal(
        '72664a9364743b346955,25,b5464,',
      );
      const sets = `ascii_lowercase [a-z] ascii_uppercase [A-Z] ascii_letters [A-Za-z] digits \\d hexdigits [\\da-fA-F]
        octdigits [0-7] punctuation [!-\\/:-@[-\`{-~] whitespace \\s`.split(/\s+/);
      for (const [at, name] of sets.entries())
        if (at % 2 === 0)
          expect(secret(`lookup("password", "/dev/null chars=${name} length=400")`), name).to.match(
            new RegExp(`^${sets[at + 1] ?? ''}{400}$`),
          );
      expect(secret('lookup("password", "made/with space length=4 seed=1")')).to.equal('99fo');
      expect(secret('lookup("password", "made/with space")')).to.equal('99fo');
    });

    it('create a password in the home folder', async () => {
      const { HOME } = process.env;
      process.env['HOME'] = folder;
      try {
        expect(secret('lookup("password", "~/made/home length=4 seed=1")')).to.equal('99fo');
      } finally {
        process.env['HOME'] = HOME;
      }
      expect(await readdir(join(folder, 'made'))).to.deep.equal(['home']);
    });

    it('find files in the home folder', async () => {
      const { HOME } = process.env;
      process.env['HOME'] = folder;
      await mkdir(join(folder, 'certificates'), { recursive: true });
      await writeFile(join(folder, 'certificates/home.pem'), 'key');
      await writeFile(join(folder, 'home.txt'), 'mine');
      try {
        expect(value('lookup("file", "~/certificates/home.pem")')).to.equal('key');
        expect(value('lookup("template", "~/certificates/home.pem")')).to.equal('key');
        expect(value('query("fileglob", "~/certificates/*.pem")')).to.deep.equal([
          join(folder, 'certificates/home.pem'),
        ]);
        expect(value('query("fileglob", "~/home.*")')).to.deep.equal([join(folder, 'home.txt')]);
        expect(value('lookup("first_found", "~/home.txt")')).to.equal(join(folder, 'home.txt'));
      } finally {
        process.env['HOME'] = HOME;
      }
    });

    it('store the salt of a password with it', async () => {
      const file = join(folder, 'made', 'salted');
      await mkdir(join(folder, 'made'));
      await writeFile(file, 'x salt=saltsalt\n');
      const hash =
        '$6$rounds=656000$saltsalt$CHgiItE4beFovthSccE/CsdUJxVzICPubIvQ6GPX/JtuBSTyrDH9wFkJjigJToyotqa8caasS4Tyo/LMQSmpt/';
      const { ino } = await stat(file);
      expect(secret('lookup("password", "made/salted encrypt=sha512_crypt")')).to.equal(hash);
      // It has its salt, so it is not written again.
      expect((await stat(file)).ino).to.equal(ino);
      expect(secret('lookup("password", "made/salted")')).to.equal('x');
      expect(secret('lookup("password", "made/new encrypt=bcrypt length=5")')).to.match(/^\$2b\$12\$/);
      expect(await readFile(join(folder, 'made', 'new'), 'utf8')).to.match(/^.{5} salt=[\w./]{22} ident=2b\n$/);
      const again = String(secret('lookup("password", "made/new encrypt=bcrypt")'));
      expect(secret('lookup("password", "made/new encrypt=bcrypt")')).to.equal(again);
      // The variant of bcrypt is that of the file, else that of the option, which is kept, too.
      const kept = await readFile(join(folder, 'made', 'new'), 'utf8');
      await writeFile(join(folder, 'made', 'kept'), kept.replace('2b', '2y'));
      await writeFile(join(folder, 'made', 'chosen'), kept.replace(' ident=2b', ''));
      for (const [name, ident] of [
        ['kept', '2y'],
        ['chosen', '2a'],
      ] as const) {
        const hash = secret(`lookup("password", "made/${name} encrypt=bcrypt ident=2a")`);
        expect(hash).to.equal(again.replace('$2b$', `$${ident}$`));
        expect(await readFile(join(folder, 'made', name), 'utf8')).to.equal(kept.replace('2b', ident));
      }
    });

    it('do not write a password in check mode, but remember it', () => {
      const check = { ansible_check_mode: true };
      const first = secret('lookup("password", "made/unsaved")', check);
      expect(first).to.match(/^.{20}$/);
      expect(secret('lookup("password", "made/unsaved")', check)).to.equal(first);
      expect(existsSync(join(folder, 'made', 'unsaved'))).to.equal(false);
    });

    it('report why a password is unavailable', async () => {
      await mkdir(join(folder, 'made'));
      await symlink(join(folder, 'gone'), join(folder, 'made', 'link'));
      const link = `the password file "${join(folder, 'made/link')}" is a link to a file that does not exist`;
      for (const [expression, message] of [
        ['lookup("password", "made/link")', `lookup: ${link}`],
        ['lookup("password", "made/x lenght=5")', 'lookup: "lenght=5" is not an option'],
        ['lookup("password", "made/x length=no")', 'lookup: length must be a whole number from 1, not "no"'],
        ['lookup("password", "made/x", chars="")', 'lookup: there are no characters to choose from'],
        ['lookup("password", "made")', `lookup: the password file "${join(folder, 'made')}" cannot be read: EISDIR`],
        ['lookup("password", "/proc/x/y")', 'lookup: the password file "/proc/x/y" cannot be written: '],
        [
          'lookup("password", "beside.txt/x/y")',
          `lookup: the password file "${join(folder, 'beside.txt/x/y')}" cannot be`,
        ],
      ] as const)
        expect(failure(() => secret(expression)))
          .to.have.property('message')
          .that.includes(message);
    });
  });

  it('read cells and values, and say what is wrong in a file', async () => {
    const files: Readonly<Record<string, string>> = {
      'ok.ini': '[DEFAULT]\nd = 0\n[a]\nx = %(y)s\ny: 2\n z\np = 50%%\nq = 50%\nr = %(none)s\ns = %(s)s\n',
      'none.ini': '[a]\nx\n',
      'early.ini': 'x=1\n',
      'twice.ini': '[a]\nx=1\nX=2\n',
      'sections.ini': '[a]\n[a]\n',
      'indented.ini': '[a]\nx=1\n[b]\n  y=2\n',
      'c.csv': 'a,1,2\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    for (const [term, expected] of [
      ['ini", "x section=a file=ok.ini', '2\nz'],
      ['ini", "p section=a file=ok.ini', '50%'],
      ['ini", "d section=a file=ok.ini', '0'],
      ['ini", "q section=a file=ok.ini interpolation=false', '50%'],
      ['ini", "D section=a file=ok.ini case_sensitive=true default=none', 'none'],
      ['ini", "[dp] section=a file=ok.ini re=true', '0,50%'],
      ['ini", "y section=b file=indented.ini', '2'],
      ['ini", "x section=a file=none.ini allow_no_value=true', []],
      ['ini", "x section=a file=none.ini allow_none=true', []],
      ['ini", "y type=properties file=early.ini encoding=utf-8 default=z', 'z'],
      ['csvfile", "a file=c.csv delimiter=, col=2', '2'],
    ] as const)
      expect(value(`lookup("${term}")`), term).to.deep.equal(expected);
    for (const [term, message] of [
      ['ini", "q section=a file=ok.ini', 'the value of "q" has a "%" without a meaning'],
      ['ini", "r section=a file=ok.ini', 'the value of "r" refers to a key that does not exist'],
      ['ini", "s section=a file=ok.ini', 'the value of "s" refers to itself'],
      ['ini", "x section=b file=ok.ini', '"ok.ini" has no section "b"'],
      ['ini", "x type=json file=ok.ini', 'type cannot be "json"'],
      ['ini", "x section=a file=none.ini', 'line 2 of "none.ini" has no value'],
      ['ini", "x section=a file=early.ini', 'line 1 of "early.ini" is before any section'],
      ['ini", "x section=a file=twice.ini', '"twice.ini" has "x" twice in a section'],
      ['ini", "x section=a file=sections.ini', '"sections.ini" has the section "a" twice'],
      ['csvfile", "a file=c.csv delimiter=, col=5', 'the row "a" has no column 5'],
    ] as const)
      expect(
        failure(() => value(`lookup("${term}")`)),
        term,
      ).to.have.property('message', `lookup: ${message}`);
  });

  it('check their options and the handling of failures', () => {
    expect(failure(() => value('lookup("file", "beside.txt", rstripp=true)'))).to.include({
      message: 'lookup: "file" has no option "rstripp"',
      hint: 'did you mean "rstrip"?',
    });
    expect(failure(() => value('lookup("file", "beside.txt", wantlst=true)'))).to.include({
      hint: 'did you mean "wantlist"?',
    });
    expect(failure(() => value('lookup("file", "gone.txt", errors="skip")'))).to.include({
      message: 'lookup: errors cannot be "skip"',
      hint: 'it is strict, warn or ignore',
    });
    expect(failure(() => value('lookup("hashi_vault", "x")'))).to.include({
      hint: 'write pipe("vault kv get -field=FIELD PATH")',
    });
    expect(failure(() => value('lookup("fileglobs", "x")'))).to.include({ hint: 'did you mean "fileglob"?' });
    expect(failure(() => value('lookup("vars", 5)'))).to.include({
      message: 'lookup: the name of a variable is needed, not the number 5',
    });
  });

  it('request a URL only during a run, and only if credentials are safe', () => {
    for (const [expression, message] of [
      [
        'lookup("url", "https://lb1.invalid/a?token=x")',
        'no request to https://lb1.invalid/a: only a run sends requests',
      ],
      ['lookup("url", "file:///etc/passwd")', 'a URL that begins with https:// or http:// is needed'],
      ['lookup("url", "https://lb1.invalid", validate_certs=false)', 'certificates are always verified'],
      ['lookup("url", "https://lb1.invalid", ca_path="banner.txt")', 'ca_path contains no PEM certificate: banner.txt'],
      ['lookup("url", "https://lb1.invalid", timeout="soon")', 'timeout must be a number of seconds up to 86400'],
      ['lookup("url", "https://lb1.invalid", split_lines="maybe")', '"split_lines" must be true or false, not a text'],
      ['lookup("url", "https://lb1.invalid", headers="x")', '"headers" must be a mapping, not a text'],
      ['lookup("url", "https://lb1.invalid", username="a:b")', '"username" must not contain a colon'],
      ...['"http://me:x@lb1.invalid/"', '"http://lb1.invalid/", headers={"X-Auth-Token": "x"}'].map(
        (given) =>
          [
            `lookup("url", ${given})`,
            'credentials are not sent to http://lb1.invalid/, which is not encrypted',
          ] as const,
      ),
    ] as const)
      expect(
        failure(() => value(expression)),
        expression,
      ).to.have.property('message', `lookup: ${message}`);
  });

  it('match names as a shell does', () => {
    expect(value('"*.txt" | fileglob | map("basename")')).to.deep.equal(['banner.txt']);
    expect(value('"[!a]anner.???" | fileglob | length')).to.equal(1);
    expect(value('"b{a}nner.txt" | fileglob')).to.deep.equal([]);
    expect(value('"../*" | fileglob | length')).to.be.greaterThan(0);
  });
});
