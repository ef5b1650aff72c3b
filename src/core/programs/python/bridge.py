"""Runs filters, tests and lookups of Ansible for Evenkeel: reads calls from descriptor 3, writes results to descriptor 4.

Each is one line of JSON. Values that JSON lacks are {"$": type, "v": value}, which `pack` and `unpack` describe.
"""
import _thread
import io
import json
import os
import sys

LARGEST = 2**53 - 1


def exit_with_parent():
    """Descriptor 5 closes when Evenkeel ends, even while a plugin hangs."""
    os.read(5, 1)
    os._exit(0)


class Sink(io.TextIOWrapper):
    """Keeps what plugins print: it may contain secrets."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding='utf-8', errors='replace', write_through=True)

    def taken(self):
        self.flush()
        kept = self.buffer.getvalue()
        self.buffer.seek(0)
        self.buffer.truncate()
        return kept.decode('utf-8', 'replace')


class Unlisted(Exception):
    pass


class Unfit(Exception):
    pass


def pack(value):
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int:
        return value if -LARGEST <= value <= LARGEST else {'$': 'int', 'v': str(value)}
    if kind is float:
        return value if value - value == 0 else {'$': 'float', 'v': repr(value)}
    if kind is list:
        return [pack(one) for one in value]
    if kind is dict:
        if '$' not in value and all(type(key) is str for key in value):
            return {key: pack(one) for key, one in value.items()}
        return {'$': 'dict', 'v': [[pack(key), pack(one), key_text(key)] for key, one in value.items()]}
    return pack_other(value)


def key_text(key):
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return to_text(key)


def pack_other(value):
    from collections.abc import Iterator, Mapping, MappingView
    if is_undefined(value):
        return {'$': 'undefined', 'v': str(getattr(value, '_undefined_name', None) or 'the result')}
    for base in (str, int, float):
        if isinstance(value, base):
            return pack(base.__str__(value) if base is str else base(value))
    if isinstance(value, tuple):
        return {'$': 'tuple', 'v': [pack(one) for one in value]}
    if isinstance(value, (set, frozenset)):
        return {'$': 'set', 'v': [pack(one) for one in in_order(value)]}
    if isinstance(value, Mapping):
        return pack(dict(value))
    if isinstance(value, (list, range, Iterator, MappingView)):
        return [pack(one) for one in value]
    import pickle
    try:
        data = pickle.dumps(value)
        pickle.loads(data)
    except Exception as error:
        raise Unfit('it returned a value of the type %s' % type(value).__name__) from error
    return {'$': 'object', 'v': data.decode('latin-1'), 't': to_text(value)}


def in_order(values):
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=repr)


def to_text(value):
    return value.decode('utf-8', 'replace') if isinstance(value, bytes) else str(value)


def is_undefined(value):
    jinja2 = sys.modules.get('jinja2.runtime')
    return isinstance(value, NoJinja) or (jinja2 is not None and isinstance(value, jinja2.Undefined))


class NoJinja:
    """An undefined value where jinja2 is not installed."""

    def __init__(self, name):
        self._undefined_name = name

    def _fail(self, *_args):
        raise NameError("'%s' is undefined" % self._undefined_name)

    __str__ = __iter__ = __len__ = __bool__ = __eq__ = __contains__ = __getitem__ = __call__ = _fail
    __hash__ = object.__hash__


def undefined(name):
    for module, kind in (('ansible.template', 'AnsibleUndefined'), ('jinja2', 'StrictUndefined')):
        if module == 'jinja2' or module in sys.modules:
            try:
                return getattr(__import__(module, fromlist=[kind]), kind)(name=name)
            except (ImportError, AttributeError):
                pass
    return NoJinja(name)


def unpack(value):
    kind = value.get('$')
    if kind is None:
        return value
    given = value['v']
    if kind == 'int':
        return int(given)
    if kind == 'float':
        return float(given)
    if kind == 'tuple':
        return tuple(given)
    if kind == 'set':
        return set(given)
    if kind == 'dict':
        return {pair[0]: pair[1] for pair in given}
    if kind == 'undefined':
        return undefined(given)
    import pickle
    return pickle.loads(given.encode('latin-1'))


class Bridge:
    def __init__(self):
        os.set_blocking(3, True)
        self.requests = os.fdopen(3, 'rb')
        self.plugins = {}
        self.collections = []
        self._environment = None

    def serve(self):
        while True:
            line = self.requests.readline()
            if not line:
                return
            self.answer(json.loads(line, object_hook=unpack))

    def names(self, asked):
        """The names that a file defines when it is loaded."""
        try:
            self.use_collections(asked['collections'])
            found = list(map(str, self.functions(asked['type'], asked['file'])))
        except BaseException:
            found = None
        sys.stdout.taken()
        sys.stderr.taken()
        return found

    def write(self, message):
        data = memoryview(json.dumps(message).encode() + b'\n')
        while data:
            data = data[os.write(4, data):]

    def ask(self, question):
        """Asks Evenkeel. A variable may need another plugin, whose call then comes first."""
        self.write({'ask': question})
        while True:
            message = json.loads(self.requests.readline(), object_hook=unpack)
            if 'call' not in message and 'names' not in message:
                return message
            self.answer(message)

    def answer(self, message):
        if 'names' in message:
            self.write({'ok': self.names(message['names'])})
            return
        try:
            self.write({'ok': pack(self.run(message['call'])), 'printed': sys.stdout.taken()})
        except BaseException as error:
            self.write({'failed': self.described(error, message['call'])})
        sys.stderr.taken()

    def described(self, error, call):
        sys.stdout.taken()
        place, line = error.__traceback__, None
        while place is not None:
            if place.tb_frame.f_code.co_filename in call['files']:
                line = [place.tb_frame.f_code.co_filename, place.tb_lineno]
            place = place.tb_next
        if isinstance(error, SyntaxError) and error.filename in call['files']:
            line = [error.filename, error.lineno]
        kinds = [one.__name__ for one in type(error).__mro__]
        return {
            'type': 'undefined' if 'UndefinedError' in kinds or 'AnsibleUndefinedVariable' in kinds else
                    'unfit' if isinstance(error, Unfit) else
                    'missing' if isinstance(error, ModuleNotFoundError) else 'error',
            'module': getattr(error, 'name', None) if isinstance(error, ModuleNotFoundError) else None,
            'message': str(error) if 'AnsibleError' in kinds or isinstance(error, (Unfit, Unlisted)) else
                       ('%s: %s' % (type(error).__name__, error)).rstrip(': '),
            'place': line,
        }

    def run(self, call):
        self.use_collections(call['collections'])
        if call['type'] == 'lookup':
            return self.look_up(call)
        function = self.function(call['type'], call['name'], call['files'])
        return function(*self.context_for(function), *call['args'], **call['named'])

    def use_collections(self, folders):
        """Ansible's own way of importing collections; else a namespace package of all folders, those of Python last."""
        import types
        if folders == self.collections:
            return
        self.collections = folders
        try:
            from ansible.utils.collection_loader import AnsibleCollectionConfig
            from ansible.utils.collection_loader._collection_finder import _AnsibleCollectionFinder
        except ImportError:
            pass
        else:
            # Before a plugin imports Ansible's loader of plugins, which would look in other folders.
            if AnsibleCollectionConfig.collection_finder is None:
                _AnsibleCollectionFinder(paths=list(folders))._install()
            return
        package = sys.modules.setdefault('ansible_collections', types.ModuleType('ansible_collections'))
        package.__path__ = [os.path.join(one, 'ansible_collections') for one in [*folders, *sys.path]]

    def module(self, file):
        import importlib.util
        known = self.plugins.get(file)
        if known is None:
            parts = file.split(os.sep)
            stem = os.path.splitext(parts[-1])[0]
            if 'ansible_collections' in parts:
                start = len(parts) - 1 - parts[::-1].index('ansible_collections')
                known = importlib.import_module('.'.join([*parts[start:-1], stem]))
            else:
                name = 'evenkeel_plugin_%d_%s' % (len(self.plugins), stem)
                spec = importlib.util.spec_from_file_location(name, file)
                known = importlib.util.module_from_spec(spec)
                sys.modules[name] = known
                spec.loader.exec_module(known)
            self.plugins[file] = known
        return known

    def function(self, kind, name, files):
        """The function of that name. A collection's is known by its short name."""
        known = self.plugins.get((kind, name, *files))
        if known is not None:
            return known
        for file in files:
            found = self.functions(kind, file)
            function = found.get(name, found.get(name.rsplit('.', 1)[-1]))
            if function is not None:
                self.plugins[(kind, name, *files)] = function
                return function
        raise Unlisted('its list has no %s of this name' % kind)

    def functions(self, kind, file):
        holder = getattr(self.module(file), 'FilterModule' if kind == 'filter' else 'TestModule', None)
        if holder is None:
            return {}
        return holder().filters() if kind == 'filter' else holder().tests()

    def context_for(self, function):
        """What jinja2's decorators ask for: the environment or the context."""
        wanted = getattr(getattr(function, 'jinja_pass_arg', None), 'name', None)
        for old in ('environment', 'context', 'evalcontext'):
            if getattr(function, old + 'filter', False) is True or getattr(function, old + 'function', False) is True:
                wanted = old
        if wanted is None:
            return []
        environment = self.environment()
        if wanted == 'environment':
            return [environment]
        context = environment.context_class(environment, Variables(self), None, {})
        return [context] if wanted == 'context' else [context.eval_ctx]

    def environment(self):
        """Ansible's, whose filters the function may use; else Jinja's."""
        if self._environment is None:
            try:
                from ansible.template import Templar
                self._environment = Templar(loader=None).environment
            except Exception:
                import jinja2
                self._environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
        return self._environment

    def look_up(self, call):
        from plugin_support import prepare_lookup
        plugin = prepare_lookup(self.module(call['files'][0]), call, self)
        return plugin.run(call['args'], variables=Variables(self), **call['named'])


class Variables(dict):
    """The variables of the template, each rendered when it is read."""

    def __init__(self, bridge):
        super().__init__()
        self._bridge = bridge
        self._names = None

    def __missing__(self, name):
        answer = self._bridge.ask({'variable': name})
        if 'value' not in answer:
            raise KeyError(answer.get('error', name))
        self[name] = answer['value']
        return answer['value']

    def __contains__(self, name):
        return isinstance(name, str) and (super().__contains__(name) or name in self._all())

    def get(self, name, default=None):
        return self[name] if name in self else default

    def _all(self):
        if self._names is None:
            self._names = dict.fromkeys(self._bridge.ask({'names': True})['value'])
        return self._names

    def __iter__(self):
        return iter([*self._all(), *(one for one in super().__iter__() if one not in self._all())])

    def __len__(self):
        return len(list(iter(self)))

    def keys(self):
        return list(iter(self))

    def items(self):
        return [(name, self[name]) for name in self]

    def values(self):
        return [self[name] for name in self]

    def copy(self):
        return self


if __name__ == '__main__':
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or '.') != here] + [here]
    sys.modules['bridge'] = sys.modules['__main__']
    sys.stdin = open(os.devnull)
    sys.stdout, sys.stderr = Sink(), Sink()
    _thread.start_new_thread(exit_with_parent, ())
    import plugin_support  # noqa: E402  (offers ansible's modules where ansible-core is not installed)
    plugin_support.offer()
    Bridge().serve()
