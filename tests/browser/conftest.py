"""What is compared in `reader` is to be shown when a test fails, as if it stood in the test itself."""

import pytest

pytest.register_assert_rewrite("tests.browser.reader")
